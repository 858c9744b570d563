package main

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

type cancel = <-chan struct{}

func (h *host) Lookup(_ cancel, header *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	h.call("LOOKUP")
	return h.look(h.node(header.NodeId), name, out)
}

func (h *host) look(dir *node, name string, out *fuse.EntryOut) fuse.Status {
	var st unix.Stat_t
	found, err := h.enter(dir, name, &st)
	if err == unix.ENOENT {
		h.mu.Lock()
		dir.names[name] = false
		h.mu.Unlock()
		out.SetEntryTimeout(*negative)
		return fuse.OK // with node 0: missing, and cached as such
	}
	if err != nil {
		return fuse.ToStatus(err)
	}
	h.fill(found, &st, out)
	return fuse.OK
}

func (h *host) GetAttr(_ cancel, input *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	h.call("GETATTR")
	return h.attributes(h.node(input.NodeId), out)
}

func (h *host) attributes(n *node, out *fuse.AttrOut) fuse.Status {
	var st unix.Stat_t
	if err := h.stat(n, &st); err != nil {
		return fuse.ToStatus(err)
	}
	out.Attr.FromStat((*syscall.Stat_t)(unsafe.Pointer(&st)))
	out.SetTimeout(*attrs)
	return fuse.OK
}

func (h *host) SetAttr(_ cancel, input *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	h.call("SETATTR")
	n := h.node(input.NodeId)
	if err := h.at(n, func(fd int) error { return setAttributes(fd, input) }); err != nil {
		return fuse.ToStatus(err)
	}
	return h.attributes(n, out)
}

func setAttributes(fd int, input *fuse.SetAttrIn) error {
	if mode, ok := input.GetMode(); ok {
		if err := unix.Chmod(pathOf(fd), mode&0o7777); err != nil {
			return err
		}
	}
	uid, hasUID := input.GetUID()
	gid, hasGID := input.GetGID()
	if hasUID || hasGID {
		if err := unix.Fchownat(fd, "", idOf(uid, hasUID), idOf(gid, hasGID), unix.AT_EMPTY_PATH); err != nil {
			return err
		}
	}
	if size, ok := input.GetSize(); ok {
		if err := unix.Truncate(pathOf(fd), int64(size)); err != nil {
			return err
		}
	}
	atime, hasAtime := input.GetATime()
	mtime, hasMtime := input.GetMTime()
	if !hasAtime && !hasMtime {
		return nil
	}
	times := []unix.Timespec{timeOf(atime, hasAtime), timeOf(mtime, hasMtime)}
	return unix.UtimesNanoAt(unix.AT_FDCWD, pathOf(fd), times, 0)
}

func idOf(id uint32, given bool) int {
	if !given {
		return -1
	}
	return int(id)
}

func timeOf(moment time.Time, given bool) unix.Timespec {
	if !given {
		return unix.Timespec{Nsec: unix.UTIME_OMIT}
	}
	return unix.NsecToTimespec(moment.UnixNano())
}

// Makes an entry, and answers it.
func (h *host) making(kind string, id uint64, name string, out *fuse.EntryOut, work func(dir int) error) fuse.Status {
	h.call(kind)
	dir := h.node(id)
	if code := h.changing([]*node{dir}, func() error { return h.at(dir, work) }); !code.Ok() {
		return code
	}
	return h.look(dir, name, out)
}

func (h *host) Mknod(_ cancel, input *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	return h.making("CREATE", input.NodeId, name, out, func(dir int) error {
		return unix.Mknodat(dir, name, input.Mode, int(input.Rdev))
	})
}

func (h *host) Mkdir(_ cancel, input *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	return h.making("CREATE", input.NodeId, name, out, func(dir int) error {
		return unix.Mkdirat(dir, name, input.Mode)
	})
}

func (h *host) Symlink(_ cancel, header *fuse.InHeader, target, name string, out *fuse.EntryOut) fuse.Status {
	return h.making("CREATE", header.NodeId, name, out, func(dir int) error {
		return unix.Symlinkat(target, dir, name)
	})
}

func (h *host) Link(_ cancel, input *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	n := h.node(input.Oldnodeid)
	return h.making("LINK", input.NodeId, name, out, func(dir int) error {
		return h.at(n, func(fd int) error {
			return unix.Linkat(unix.AT_FDCWD, pathOf(fd), dir, name, unix.AT_SYMLINK_FOLLOW)
		})
	})
}

func (h *host) Readlink(_ cancel, header *fuse.InHeader) ([]byte, fuse.Status) {
	h.call("READLINK")
	buffer := make([]byte, unix.PathMax)
	var length int
	err := h.at(h.node(header.NodeId), func(fd int) (err error) {
		length, err = unix.Readlinkat(fd, "", buffer)
		return err
	})
	if err != nil {
		return nil, fuse.ToStatus(err)
	}
	return buffer[:length], fuse.OK
}

var sillyCount atomic.Uint32

// NFS has no file without a name: a removed file that this host holds open is renamed, and removed when it's closed.
func (h *host) renameIfHeld(dir *node, fd int, name string) (held bool, err error) {
	id, _, err := identify(fd, name)
	if err != nil {
		return false, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.byKey[id]
	if n == nil || n.opens == 0 || n.names != nil {
		return false, nil
	}
	if n.silly {
		return false, unix.EBUSY
	}
	hidden := fmt.Sprintf(".nfs%016x%08x", n.id, sillyCount.Add(1))
	if err := unix.Renameat(fd, name, fd, hidden); err != nil {
		return false, err
	}
	n.parent, n.name, n.silly = dir, hidden, true
	delete(dir.names, hidden)
	return true, nil
}

func (h *host) Unlink(_ cancel, header *fuse.InHeader, name string) fuse.Status {
	h.call("REMOVE")
	dir := h.node(header.NodeId)
	return h.changing([]*node{dir}, func() error {
		return h.at(dir, func(fd int) error {
			if held, err := h.renameIfHeld(dir, fd, name); held || err != nil {
				return err
			}
			return unix.Unlinkat(fd, name, 0)
		})
	})
}

func (h *host) Rmdir(_ cancel, header *fuse.InHeader, name string) fuse.Status {
	h.call("REMOVE")
	dir := h.node(header.NodeId)
	return h.remove(dir, name, unix.AT_REMOVEDIR)
}

func (h *host) Rename(_ cancel, input *fuse.RenameIn, oldName, newName string) fuse.Status {
	if input.Flags != 0 {
		return fuse.EINVAL // the protocol has no flags
	}
	h.call("RENAME")
	from, to := h.node(input.NodeId), h.node(input.Newdir)
	return h.changing([]*node{from, to}, func() error {
		return h.at(from, func(source int) error {
			return h.at(to, func(target int) error {
				return h.move(from, source, oldName, to, target, newName)
			})
		})
	})
}

func (h *host) move(from *node, source int, oldName string, to *node, target int, newName string) error {
	moved, _, err := identify(source, oldName)
	if err != nil {
		return err
	}
	if replaced, _, err := identify(target, newName); err == nil && replaced != moved {
		if _, err := h.renameIfHeld(to, target, newName); err != nil {
			return err
		}
	}
	if err := unix.Renameat(source, oldName, target, newName); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(from.names, oldName)
	to.names[newName] = true
	if n := h.byKey[moved]; n != nil {
		n.parent, n.name = to, newName
	}
	return nil
}

func (h *host) keep(n *node, fd int) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	fh := h.next
	h.next++
	h.handles[fh] = &handle{fd: fd, node: n}
	n.opens++
	return fh
}

// Close-to-open: opening asks the server for the name and the state of the file, whatever is cached. A file that got another
// identity is looked for again by the kernel, as after any stale handle.
func (h *host) Open(_ cancel, input *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	h.call("OPEN")
	n := h.node(input.NodeId)
	h.mu.Lock()
	dir, name := n.parent, n.name
	h.mu.Unlock()
	var named fileID
	if h.at(dir, func(fd int) (err error) { named, _, err = identify(fd, name); return err }) != nil || named != n.key {
		return fuse.Status(unix.ESTALE)
	}
	var fd int
	var st unix.Stat_t
	flags := int(input.Flags)&^(unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_APPEND) | unix.O_CLOEXEC
	err := h.at(n, func(at int) (err error) {
		fd, err = unix.Open(pathOf(at), flags, 0)
		return err
	})
	if err != nil {
		return fuse.ToStatus(err)
	}
	unix.Fstat(fd, &st)
	h.mu.Lock()
	same := n.seen == changeOf(&st)
	n.seen = changeOf(&st)
	h.mu.Unlock()
	if same {
		out.OpenFlags = fuse.FOPEN_KEEP_CACHE
	} else {
		h.expireAttributes(n)
	}
	out.Fh = h.keep(n, fd)
	return fuse.OK
}

func (h *host) Create(_ cancel, input *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	h.call("OPEN")
	dir := h.node(input.NodeId)
	var fd int
	code := h.changing([]*node{dir}, func() error {
		flags := int(input.Flags)&^unix.O_APPEND | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_CLOEXEC
		return h.at(dir, func(at int) (err error) {
			fd, err = unix.Openat(at, name, flags, input.Mode)
			return err
		})
	})
	if !code.Ok() {
		return code
	}
	if code := h.look(dir, name, &out.EntryOut); !code.Ok() || out.NodeId == 0 {
		unix.Close(fd)
		return fuse.Status(unix.ESTALE)
	}
	out.Fh = h.keep(h.node(out.NodeId), fd)
	return fuse.OK
}

func (h *host) stale(one *handle) bool {
	var st unix.Stat_t
	return unix.Fstat(one.fd, &st) != nil || st.Nlink == 0
}

func (h *host) Read(_ cancel, input *fuse.ReadIn, buffer []byte) (fuse.ReadResult, fuse.Status) {
	h.call("READ")
	one := h.handle(input.Fh)
	if h.stale(one) {
		return nil, fuse.Status(unix.ESTALE)
	}
	length, err := unix.Pread(one.fd, buffer, int64(input.Offset))
	if err != nil {
		return nil, fuse.ToStatus(err)
	}
	return fuse.ReadResultData(buffer[:length]), fuse.OK
}

func (h *host) Write(_ cancel, input *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	h.call("WRITE")
	one := h.handle(input.Fh)
	if h.stale(one) {
		return 0, fuse.Status(unix.ESTALE)
	}
	length, err := unix.Pwrite(one.fd, data, int64(input.Offset))
	h.sawOwn(one)
	return uint32(max(length, 0)), fuse.ToStatus(err)
}

// The host's own writes leave its pages valid.
func (h *host) sawOwn(one *handle) {
	var st unix.Stat_t
	if unix.Fstat(one.fd, &st) == nil {
		h.mu.Lock()
		one.node.seen, one.dirty = changeOf(&st), true
		h.mu.Unlock()
	}
}

func (h *host) Flush(_ cancel, input *fuse.FlushIn) fuse.Status {
	h.call("CLOSE")
	return fuse.OK
}

func (h *host) Fsync(_ cancel, input *fuse.FsyncIn) fuse.Status {
	one := h.handle(input.Fh)
	if one.dirty { // else nothing is on its way
		h.call("COMMIT")
	}
	one.dirty = false
	return fuse.OK
}

func (h *host) Release(_ cancel, input *fuse.ReleaseIn) {
	h.mu.Lock()
	one := h.handles[input.Fh]
	delete(h.handles, input.Fh)
	n := one.node
	n.opens--
	dir, name, isLast := n.parent, n.name, n.silly && n.opens == 0
	h.mu.Unlock()
	unix.Close(one.fd)
	if isLast {
		h.call("REMOVE")
		h.remove(dir, name, 0)
	}
}

func (h *host) remove(dir *node, name string, flags int) fuse.Status {
	return h.changing([]*node{dir}, func() error {
		return h.at(dir, func(fd int) error { return unix.Unlinkat(fd, name, flags) })
	})
}

func (h *host) OpenDir(_ cancel, input *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	h.call("GETATTR")
	n := h.node(input.NodeId)
	var st unix.Stat_t
	if err := h.stat(n, &st); err != nil {
		return fuse.ToStatus(err)
	}
	h.revalidate(n, &st)
	h.mu.Lock()
	defer h.mu.Unlock()
	out.Fh = h.next
	h.next++
	h.handles[out.Fh] = &handle{fd: -1, node: n}
	return fuse.OK
}

// So many names come with one call.
const namesAtOnce = 1000

func (h *host) ReadDir(_ cancel, input *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return h.list(input, func(_ *node, one fuse.DirEntry) bool { return out.AddDirEntry(one) })
}

func (h *host) ReadDirPlus(_ cancel, input *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return h.list(input, func(dir *node, one fuse.DirEntry) bool {
		place := out.AddDirLookupEntry(one)
		if place != nil && one.Name != "." && one.Name != ".." {
			h.look(dir, one.Name, place)
		}
		return place != nil
	})
}

func (h *host) list(input *fuse.ReadIn, add func(*node, fuse.DirEntry) bool) fuse.Status {
	one := h.handle(input.Fh)
	if input.Offset == 0 {
		var list []entry
		err := h.at(one.node, func(fd int) (err error) { list, err = namesIn(fd); return err })
		if err != nil {
			return fuse.ToStatus(err)
		}
		one.list = list
	}
	for index := int(input.Offset); index < len(one.list); index++ {
		if index%namesAtOnce == 0 {
			h.call("READDIR")
		}
		found := one.list[index]
		next := fuse.DirEntry{Name: found.name, Ino: found.ino, Mode: found.mode, Off: uint64(index) + 1}
		if !add(one.node, next) {
			return fuse.OK
		}
	}
	return fuse.OK
}

func namesIn(dir int) ([]entry, error) {
	open, err := os.Open(pathOf(dir))
	if err != nil {
		return nil, err
	}
	defer open.Close()
	found, err := open.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	list := []entry{{".", 0, unix.S_IFDIR}, {"..", 0, unix.S_IFDIR}}
	for _, each := range found {
		mode := uint32(unix.S_IFREG)
		switch kind := each.Type(); {
		case kind&os.ModeSymlink != 0:
			mode = unix.S_IFLNK
		case kind.IsDir():
			mode = unix.S_IFDIR
		case kind&os.ModeNamedPipe != 0:
			mode = unix.S_IFIFO
		case kind&os.ModeSocket != 0:
			mode = unix.S_IFSOCK
		}
		list = append(list, entry{each.Name(), 0, mode})
	}
	return list, nil
}

func (h *host) ReleaseDir(input *fuse.ReleaseIn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.handles, input.Fh)
}

func (h *host) FsyncDir(_ cancel, _ *fuse.FsyncIn) fuse.Status { return fuse.OK }

func (h *host) Access(_ cancel, _ *fuse.AccessIn) fuse.Status { return fuse.OK }

func (h *host) StatFs(_ cancel, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	h.call("GETATTR")
	var st syscall.Statfs_t
	if err := syscall.Fstatfs(h.disk, &st); err != nil {
		return fuse.ToStatus(err)
	}
	out.FromStatfsT(&st)
	return fuse.OK
}

// NFS 4.1 has neither.
func (h *host) Fallocate(_ cancel, _ *fuse.FallocateIn) fuse.Status {
	return fuse.Status(unix.EOPNOTSUPP)
}
func (h *host) CopyFileRange(_ cancel, _ *fuse.CopyFileRangeIn) (uint32, fuse.Status) {
	return 0, fuse.ENOSYS
}

// Locks are the server's, so hosts see those of each other.
func (h *host) GetLk(_ cancel, input *fuse.LkIn, out *fuse.LkOut) fuse.Status {
	h.call("LOCK")
	var lock syscall.Flock_t
	input.Lk.ToFlockT(&lock)
	err := syscall.FcntlFlock(uintptr(h.handle(input.Fh).fd), unix.F_OFD_GETLK, &lock)
	out.Lk.FromFlockT(&lock)
	return fuse.ToStatus(err)
}

func (h *host) SetLk(_ cancel, input *fuse.LkIn) fuse.Status { return h.lock(input, false) }

func (h *host) SetLkw(_ cancel, input *fuse.LkIn) fuse.Status { return h.lock(input, true) }

func (h *host) lock(input *fuse.LkIn, waits bool) fuse.Status {
	h.call("LOCK")
	fd := h.handle(input.Fh).fd
	if input.LkFlags&fuse.FUSE_LK_FLOCK != 0 {
		how := map[uint32]int{unix.F_RDLCK: unix.LOCK_SH, unix.F_WRLCK: unix.LOCK_EX, unix.F_UNLCK: unix.LOCK_UN}[input.Lk.Typ]
		if !waits {
			how |= unix.LOCK_NB
		}
		return fuse.ToStatus(unix.Flock(fd, how))
	}
	var lock syscall.Flock_t
	input.Lk.ToFlockT(&lock)
	command := unix.F_OFD_SETLK
	if waits {
		command = unix.F_OFD_SETLKW
	}
	return fuse.ToStatus(syscall.FcntlFlock(uintptr(fd), command, &lock))
}

func (h *host) String() string { return "nfs-mounts " + strings.TrimSpace(h.place) }
