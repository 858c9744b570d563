package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// The identity of a file on the server, and of no later one with its number: an NFS file handle.
type fileID string

// What NFS compares to find out whether a file, or the names in a directory, changed.
type change struct {
	size         int64
	mtime, ctime unix.Timespec
}

func changeOf(st *unix.Stat_t) change { return change{st.Size, st.Mtim, st.Ctim} }

// A file that this host knows, whatever becomes of its name.
type node struct {
	id      uint64
	key     fileID
	handle  unix.FileHandle
	lookups uint64
	// The name under which this host saw it last.
	parent *node
	name   string
	// Of a directory: names that the kernel has cached, false if as missing; and the directory's state when they were.
	names map[string]bool
	// The state that the kernel has cached pages or names for.
	seen change
	// Open handles of this host, and whether its name is one of those that NFS gives to removed files.
	opens int
	silly bool
}

// One of the two machines.
type host struct {
	fuse.RawFileSystem
	place   string
	dev     int // of /dev/fuse
	disk    int // the folder that the server stores
	mu      sync.Mutex
	nodes   map[uint64]*node
	byKey   map[fileID]*node
	handles map[uint64]*handle
	next    uint64
	calls   map[string]*atomic.Int64
	server  *fuse.Server
}

type handle struct {
	fd    int
	node  *node
	dirty bool
	list  []entry // of a directory
}

type entry struct {
	name string
	ino  uint64
	mode uint32
}

const rootID = fuse.FUSE_ROOT_ID

// Changes of directories happen one after the other on the server, so that each host knows which ones were its own.
var onServer sync.Mutex

// Mounts without fusermount, through a descriptor that notifications can be written to.
func mountHost(folder, place string) (*host, error) {
	dev, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	one := &host{
		RawFileSystem: fuse.NewDefaultRawFileSystem(),
		place:         place,
		dev:           dev,
		nodes:         map[uint64]*node{},
		byKey:         map[fileID]*node{},
		handles:       map[uint64]*handle{},
		next:          rootID + 1,
		calls:         map[string]*atomic.Int64{},
	}
	if one.disk, err = unix.Open(folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(one.disk, &st); err != nil {
		return nil, err
	}
	id, handle, err := identify(one.disk, "")
	if err != nil {
		return nil, fmt.Errorf("its file system has no file handles: %w", err)
	}
	root := &node{id: rootID, key: id, handle: handle, lookups: 1, names: map[string]bool{}, seen: changeOf(&st)}
	one.nodes[rootID], one.byKey[root.key] = root, root
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions,max_read=%d", dev, 1<<20)
	if err := unix.Mount("nfs-mounts", place, "fuse.nfs-mounts", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return nil, err
	}
	one.server, err = fuse.NewServer(one, fmt.Sprintf("/dev/fd/%d", dev), &fuse.MountOptions{
		MaxWrite:           1 << 20,
		MaxBackground:      64,
		EnableLocks:        true,
		DisableXAttrs:      true, // EFS has none
		DisableReadDirPlus: !*plus,
		AllowOther:         true,
	})
	if err != nil {
		unix.Unmount(place, unix.MNT_DETACH)
		return nil, err
	}
	go one.server.Serve()
	return one, nil
}

// Of a name in an open directory, or of the open file itself.
func identify(dir int, name string) (fileID, unix.FileHandle, error) {
	flags := 0
	if name == "" {
		flags = unix.AT_EMPTY_PATH
	}
	handle, _, err := unix.NameToHandleAt(dir, name, flags)
	if err != nil {
		return "", handle, err
	}
	return fileID(fmt.Sprint(handle.Type(), handle.Bytes())), handle, nil
}

func (h *host) counts() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[string]int{}
	for kind, count := range h.calls {
		all[kind] = int(count.Load())
	}
	return all
}

// A call to the server, with its way there and back.
func (h *host) call(kind string) {
	h.mu.Lock()
	counter := h.calls[kind]
	if counter == nil {
		counter = new(atomic.Int64)
		h.calls[kind] = counter
	}
	h.mu.Unlock()
	counter.Add(1)
	time.Sleep(speed.of(kind == "WRITE" || kind == "COMMIT"))
}

func (h *host) node(id uint64) *node {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.nodes[id]
}

func (h *host) handle(fh uint64) *handle {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.handles[fh]
}

// Works on the file by a descriptor that only names it. ESTALE once it's removed.
func (h *host) at(n *node, work func(fd int) error) error {
	fd, err := unix.OpenByHandleAt(h.disk, n.handle, unix.O_PATH|unix.O_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return work(fd)
}

func (h *host) stat(n *node, st *unix.Stat_t) error {
	return h.at(n, func(fd int) error {
		if err := unix.Fstatat(fd, "", st, unix.AT_EMPTY_PATH); err != nil {
			return err
		}
		if st.Nlink == 0 { // held open on the server, by another host or this one
			return unix.ESTALE
		}
		return nil
	})
}

func pathOf(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// Finds or makes the node of a name, and counts the kernel's reference.
func (h *host) enter(parent *node, name string, st *unix.Stat_t) (*node, error) {
	var id fileID
	var handle unix.FileHandle
	err := h.at(parent, func(dir int) (err error) {
		fd, err := unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if id, handle, err = identify(fd, ""); err != nil {
			return err
		}
		return unix.Fstat(fd, st)
	})
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.byKey[id]
	if found == nil {
		found = &node{id: h.next, key: id, handle: handle, seen: changeOf(st)}
		h.next++
		h.nodes[found.id], h.byKey[id] = found, found
		if st.Mode&unix.S_IFMT == unix.S_IFDIR {
			found.names = map[string]bool{}
		}
	}
	found.lookups++
	found.parent, found.name = parent, name
	parent.names[name] = true
	return found, nil
}

func (h *host) fill(n *node, st *unix.Stat_t, out *fuse.EntryOut) {
	out.NodeId, out.Generation = n.id, 1
	out.Attr.FromStat((*syscall.Stat_t)(unsafe.Pointer(st)))
	out.SetEntryTimeout(*attrs)
	out.SetAttrTimeout(*attrs)
}

func (h *host) Forget(id, count uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.nodes[id]
	if n == nil || id == rootID {
		return
	}
	n.lookups -= min(count, n.lookups)
	if n.lookups > 0 || n.opens > 0 {
		return
	}
	delete(h.nodes, id)
	delete(h.byKey, n.key)
}

// Runs a change of a directory. A host whose own change is the only one keeps what it cached of the directory.
func (h *host) changing(dirs []*node, work func() error) fuse.Status {
	onServer.Lock()
	defer onServer.Unlock()
	own := make([]bool, len(dirs))
	var st unix.Stat_t
	for index, dir := range dirs {
		if err := h.stat(dir, &st); err != nil {
			return fuse.ToStatus(err)
		}
		own[index] = changeOf(&st) == dir.seen
	}
	if err := work(); err != nil {
		return fuse.ToStatus(err)
	}
	for index, dir := range dirs {
		if own[index] && h.stat(dir, &st) == nil {
			dir.seen = changeOf(&st)
		}
	}
	return fuse.OK
}

const (
	notifyInode = 2
	notifyEntry = 3
	expireOnly  = 1
)

// Has the kernel ask for a name again, without taking the file from those who hold it.
func (h *host) expire(dir *node, name string) {
	message := make([]byte, 16+16+len(name)+1)
	*(*int32)(unsafe.Pointer(&message[4])) = notifyEntry
	*(*uint64)(unsafe.Pointer(&message[16])) = dir.id
	*(*uint32)(unsafe.Pointer(&message[24])) = uint32(len(name))
	*(*uint32)(unsafe.Pointer(&message[28])) = expireOnly
	copy(message[32:], name)
	h.notify(message)
}

// Has the kernel ask for the attributes again.
func (h *host) expireAttributes(n *node) {
	message := make([]byte, 16+24)
	*(*int32)(unsafe.Pointer(&message[4])) = notifyInode
	*(*uint64)(unsafe.Pointer(&message[16])) = n.id
	*(*int64)(unsafe.Pointer(&message[24])) = -1
	h.notify(message)
}

// Fails for what the kernel has not cached, or no longer.
func (h *host) notify(message []byte) {
	*(*uint32)(unsafe.Pointer(&message[0])) = uint32(len(message))
	unix.Write(h.dev, message)
}

// Opening a directory asks the server for its state. If the names in it changed, none that was cached counts.
func (h *host) revalidate(dir *node, st *unix.Stat_t) {
	h.mu.Lock()
	changed := changeOf(st) != dir.seen
	names := dir.names
	if changed {
		dir.seen = changeOf(st)
		dir.names = map[string]bool{}
	}
	h.mu.Unlock()
	if !changed {
		return
	}
	h.expireAttributes(dir)
	for name := range names {
		h.expire(dir, name)
	}
}

// Has the kernel ask for everything again.
func (h *host) forget() {
	type cached struct {
		n     *node
		names []string
	}
	var all []cached
	h.mu.Lock()
	for _, n := range h.nodes {
		one := cached{n: n}
		for name := range n.names {
			one.names = append(one.names, name)
		}
		all = append(all, one)
	}
	h.mu.Unlock()
	for _, one := range all {
		h.expireAttributes(one.n)
		for _, name := range one.names {
			h.expire(one.n, name)
		}
	}
}
