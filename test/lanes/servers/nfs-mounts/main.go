// One folder at two mount points, each of which caches, waits and renames as a host's NFS client does: the hosts see each
// other's changes as late as NFS permits. At http://127.0.0.1:PORT, /calls counts the calls to the server by kind, /pace
// sets their duration, and /forget ends what is cached, as a minute would.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var (
	folder   = flag.String("folder", "", "the folder that the server stores")
	mounts   = flag.String("mounts", "", "mount points, separated by commas")
	port     = flag.Int("port", 0, "port of /calls on loopback")
	attrs    = flag.Duration("attributes", 60*time.Second, "how long attributes and names are cached (acregmax, acdirmax)")
	negative = flag.Duration("negative", 30*time.Second, "how long it is cached that a name is missing")
	perCall  = flag.Duration("call", time.Millisecond, "duration of a call")
	perWrite = flag.Duration("write", 3*time.Millisecond, "duration of a call that writes to the disk of the server")
	plus     = flag.Bool("readdirplus", false, "whether a listing brings the attributes of its files")
)

// The pace can be changed while mounted, so that tests need not wait while they prepare files.
type pace struct {
	sync.Mutex
	call, write time.Duration
}

var speed pace

func (p *pace) of(writes bool) time.Duration {
	p.Lock()
	defer p.Unlock()
	if writes {
		return p.write
	}
	return p.call
}

func main() {
	flag.Parse()
	syscall.Umask(0)
	speed.call, speed.write = *perCall, *perWrite
	var hosts []*host
	for _, place := range strings.Split(*mounts, ",") {
		one, err := mountHost(*folder, place)
		if err != nil {
			log.Fatalf("%s can't be mounted: %v", place, err)
		}
		hosts = append(hosts, one)
	}
	http.HandleFunc("GET /calls", func(response http.ResponseWriter, _ *http.Request) {
		counts := map[string]map[string]int{}
		for _, one := range hosts {
			counts[one.place] = one.counts()
		}
		json.NewEncoder(response).Encode(counts)
	})
	http.HandleFunc("POST /pace", func(response http.ResponseWriter, request *http.Request) {
		call, callErr := time.ParseDuration(request.FormValue("call"))
		write, writeErr := time.ParseDuration(request.FormValue("write"))
		if callErr != nil || writeErr != nil {
			http.Error(response, "call and write must be durations", http.StatusBadRequest)
			return
		}
		speed.Lock()
		speed.call, speed.write = call, write
		speed.Unlock()
	})
	http.HandleFunc("POST /forget", func(http.ResponseWriter, *http.Request) {
		for _, one := range hosts {
			one.forget()
		}
	})
	go func() { log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)) }()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
	for _, one := range hosts {
		unix.Unmount(one.place, unix.MNT_DETACH)
	}
}
