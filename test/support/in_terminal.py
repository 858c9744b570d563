"""Runs a program in a real terminal (a pseudo-terminal of 100 x 40), types when a text has come, prints all that was shown.

    python3 in_terminal.py '[["text to wait for", "what to type"]]' PROGRAM ARGUMENT...

Ends with the program's exit code, or with 99 when nothing has come for two minutes.
"""
import fcntl, json, os, pty, select, struct, sys, termios

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
shown, seen = b"", 0
while True:
    ready, _, _ = select.select([terminal], [], [], 120)
    if not ready:
        os.kill(pid, 9)
        sys.exit(99)
    try:
        data = os.read(terminal, 65536)
    except OSError:  # Linux says so of a terminal without a program
        break
    if not data:
        break
    shown += data
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    while steps and (at := shown.find(steps[0][0].encode(), seen)) >= 0:
        seen = at + len(steps[0][0])
        os.write(terminal, steps.pop(0)[1].encode())
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
