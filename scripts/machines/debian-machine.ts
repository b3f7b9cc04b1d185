import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sources } from './containers.ts'
import { whyNotRootWith } from './find-tools.ts'

/*
 * An empty Debian 12 with its own systemd, in namespaces of this machine's kernel, behind address
 * translation. Tests run the commands of the manual there.
 */

export type DebianMachine = Awaited<ReturnType<typeof startDebian>>

/** Returns why this machine cannot run one; undefined when it can. */
export const whyNoMachine = () =>
  whyNotRootWith(['debootstrap', 'unshare', 'nsenter', 'setpriv', 'ip', 'iptables'])

/**
 * Boots systemd in the folder `$0`, in the control group `$1`, with the shared folders of the other
 * arguments. Credentials of services need shared mounts, which systemd leaves to the manager of a
 * container.
 */
const boot = `
umount -R /sys/fs/cgroup 2>/dev/null
mount -t cgroup2 none /sys/fs/cgroup
mkdir -p /sys/fs/cgroup/$1
echo $$ > /sys/fs/cgroup/$1/cgroup.procs
exec unshare --cgroup --pid --fork --kill-child --net --uts --ipc sh -c '
hostname debian
mount --bind "$0" "$0"
shift
while [ $# -gt 0 ]; do
  mkdir -p "$0$1"
  mount --bind "$2" "$0$1"
  shift 2
done
cd "$0"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
for name in null zero full random urandom tty; do
  touch dev/$name
  mount --bind /dev/$name dev/$name
done
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mkdir -p old
pivot_root . old
umount -l /old
rmdir /old
mount --make-rshared /
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
' "$0" "$@"`

/** Files that Debian's installer writes and debootstrap does not. */
const installerFiles = {
  'etc/hosts': '127.0.0.1 localhost\n127.0.1.1 debian\n::1 localhost ip6-localhost ip6-loopback\n',
  'etc/hostname': 'debian\n',
  'etc/apt/sources.list': sources,
}

interface MachineOptions {
  /** The folder of a copy of another machine (`copyTo`), instead of an empty Debian. */
  from?: string
  /** Network folders: the path in the machine → the folder of this machine. */
  shared?: Record<string, string>
}

/** @param folder of the empty Debian, kept for other runs, and of the machine's copy */
export const startDebian = async (folder: string, { from, shared = {} }: MachineOptions = {}) => {
  mkdirSync(folder, { recursive: true })
  const template = from ?? join(folder, 'debian')
  if (!existsSync(template)) {
    const fresh = `${template}.new`
    execFileSync('rm', ['-rf', '--one-file-system', fresh])
    const packages = '--include=systemd-sysv,dbus'
    execFileSync('debootstrap', ['--variant=minbase', packages, 'bookworm', fresh], { stdio: 'ignore' })
    for (const path of ['var/cache/apt', 'var/lib/apt/lists'])
      execFileSync('find', [join(fresh, path), '-type', 'f', '-delete'])
    for (const [path, text] of Object.entries(installerFiles)) writeFileSync(join(fresh, path), text)
    execFileSync('mv', [fresh, template])
  }
  const root = join(mkdtempSync(join(folder, 'machine-')), 'root')
  execFileSync('cp', ['-a', template, root])
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  const ca = process.env.NODE_EXTRA_CA_CERTS
  if (ca) copyFileSync(ca, join(root, 'etc/machine-ca.crt'))
  const name = `bi-machine-${process.pid}-${Math.floor(Math.random() * 1e6)}`
  // Also ends when this process is killed.
  const booting = ['--pdeathsig', 'KILL', 'unshare', '--mount', 'sh', '-c', boot, root, name]
  booting.push(...Object.entries(shared).flat())
  const booted = spawn('setpriv', booting, { stdio: ['ignore', 'pipe', 'pipe'] })
  const bootOutput = outputOf(booted)
  const init = await untilBooted(booted, bootOutput)
  const network = connect(init)
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
    ...(ca ? { NODE_EXTRA_CA_CERTS: '/etc/machine-ca.crt' } : {}),
  }
  const bash = (script: string) =>
    spawn('nsenter', [...insideOf(init), 'bash', '-euo', 'pipefail', '-c', script], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const run = (script: string) => collect(bash(script), script)
  await run('systemctl is-system-running --wait || true')
  return {
    /** Its address, as this machine reaches it. */
    address: network.address,
    /** The folder of its root file system. */
    root,
    /** Runs a Bash script as root in /root. @returns its output @throws Error if a command fails */
    run,
    /** Starts a script that does not end. Its output is kept; it ends with the machine. */
    start: (script: string) => {
      const child = bash(script)
      return { output: outputOf(child), exitCode: () => child.exitCode }
    },
    /** Writes a program that runs `program` of this machine in that network. @returns its path */
    inItsNetwork: (program: string) => {
      const path = join(root, '..', basename(program))
      const command = `exec nsenter --target=${init} --net ${program} "$@"`
      writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 })
      return path
    },
    /** Copies the files of the machine, without its shared folders. */
    copyTo: (path: string) => void execFileSync('cp', ['-a', root, path]),
    stop: async () => {
      const ended = once(booted, 'exit')
      process.kill(init, 'SIGKILL')
      await ended
      network.disconnect()
      spawnSync('unshare', ['--mount', 'sh', '-c', removeGroups, name])
      execFileSync('rm', ['-rf', '--one-file-system', join(root, '..')])
    },
  }
}

/** Removes the control groups under `$0`, which outlive their processes. */
const removeGroups = `
umount -R /sys/fs/cgroup 2>/dev/null
mount -t cgroup2 none /sys/fs/cgroup
find "/sys/fs/cgroup/$0" -depth -type d -exec rmdir {} ';'`

const insideOf = (init: number) => [
  `--target=${init}`,
  '--mount',
  '--pid',
  '--net',
  '--uts',
  '--ipc',
  '--cgroup',
  '--root',
  '--wdns=/root',
]

/** Waits until systemd accepts commands. @returns its process id */
const untilBooted = async (booted: ChildProcess, output: () => string): Promise<number> => {
  for (let waited = 0; waited < 60_000; waited += 200) {
    await sleep(200)
    if (booted.exitCode !== null) break
    const init = childOf(booted.pid ?? 0)
    if (!init || !readFileSync(`/proc/${init}/cmdline`, 'utf8').includes('systemd')) continue
    const asked = spawnSync('nsenter', [...insideOf(init), 'systemctl', 'list-jobs'], { stdio: 'ignore' })
    if (asked.status === 0) return init
  }
  throw new Error(`systemd did not start: ${output()}`)
}

const childOf = (pid: number): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || undefined
  } catch {
    return undefined
  }
}

/** All machines are in this network. */
export const machineNetwork = '10.231.0.0/16'

/** Connects the machine to this one, to the other machines and to the Internet. */
const connect = (init: number) => {
  const number = init % 16_384
  const net = `10.231.${Math.floor(number / 64)}.`
  const first = (number % 64) * 4
  const [host, address] = [`${net}${first + 1}`, `${net}${first + 2}`]
  const cable = `bi${init}`
  const ip = (...args: string[]) => execFileSync('ip', args)
  const inside = (...args: string[]) => execFileSync('nsenter', [`--target=${init}`, '--net', 'ip', ...args])
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init))
  ip('address', 'add', `${host}/30`, 'dev', cable)
  ip('link', 'set', cable, 'up')
  inside('address', 'add', `${address}/30`, 'dev', 'eth0')
  inside('link', 'set', 'eth0', 'up')
  inside('link', 'set', 'lo', 'up')
  inside('route', 'add', 'default', 'via', host)
  // It remains enabled, as container engines leave it: another one may need it.
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')
  const rule = ['POSTROUTING', '-s', `${address}/32`, '!', '-d', machineNetwork, '-j', 'MASQUERADE']
  execFileSync('iptables', ['-t', 'nat', '-A', ...rule])
  return {
    address,
    disconnect: () => void execFileSync('iptables', ['-t', 'nat', '-D', ...rule]),
  }
}

const outputOf = (child: ChildProcess): (() => string) => {
  let output = ''
  const decoder = new TextDecoder()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += decoder.decode(chunk, { stream: true })
    })
  return () => output
}

const collect = async (child: ChildProcess, script: string): Promise<string> => {
  const output = outputOf(child)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ended with ${code}:\n${output().slice(-6000)}\n${script.slice(0, 200)}`)
  return output()
}
