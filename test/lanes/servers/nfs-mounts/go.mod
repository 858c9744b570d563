module local/nfs-mounts

go 1.25

require (
	github.com/hanwen/go-fuse/v2 v2.12.1
	golang.org/x/sys v0.38.0
)
