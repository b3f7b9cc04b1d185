import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isOnPath, whyNotRootWith } from './find-tools.ts'

/* Podman for tests and figures. Its images, containers and networks have a separate folder. */

/** The targets of the Dockerfile; an image is called `bi-manager/<target>`. */
export const targets = ['portal', 'exports', 'database', 'proxy'] as const

const baseImage = 'debian:12-slim'
const repository = join(import.meta.dirname, '../..')

export type Engine = Awaited<ReturnType<typeof openEngine>>

/** Returns why this machine cannot run containers; undefined when it can. */
export const whyNoContainers = () => whyNotRootWith(['podman', 'buildah', 'podman-compose', 'nsenter'])

/** The folder of images; the next run reuses their layers. */
export const containerFolder = () => join(tmpdir(), 'bi-manager-containers')

/**
 * One mount and one process namespace for all commands: podman keeps the networks of its containers
 * in the first, and the kernel ends every container with the second. Without usable cgroups, an
 * empty hierarchy of version 2 is mounted. Containers get a null device that they cannot replace.
 */
const holdNamespaces = `
if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
  umount -R /sys/fs/cgroup 2>/dev/null
  mount -t cgroup2 none /sys/fs/cgroup
fi
for path in /run/netns /run/containers /var/lib/cni; do mkdir -p $path; mount -t tmpfs tmpfs $path; done
[ -e "$0/null" ] || mknod -m 666 "$0/null" c 1 3
mount --bind "$0/null" /dev/null
echo ready
exec cat > /dev/null`

/**
 * Replaces docker. podman-compose 1.0 has no --wait, prints its own lines in `exec`, does not pass
 * variables of .env on, and neither recreates changed containers nor waits for healthy ones.
 */
const dockerStandIn = `#!/bin/sh
set -eu
case $1 in
  build) shift; exec podman build $BUILD_ARGUMENTS "$@" ;;
  compose) shift ;;
  *) exec podman "$@" ;;
esac
project=$(basename "$PWD")
if [ -f .env ]; then set -a; . ./.env; set +a; fi
containers() { podman ps -a --filter "label=com.docker.compose.project=$project" --format '{{.Names}}'; }
compose() { podman-compose \${BUILD_ARGUMENTS:+"--podman-build-args=$BUILD_ARGUMENTS"} "$@"; }
case $1 in
  exec)
    shift
    [ "$1" != -T ] || shift
    service=$1
    shift
    exec podman exec -i "\${project}_\${service}_1" "$@" ;;
  ps) exec podman ps --filter "label=com.docker.compose.project=$project" ;;
  down)
    containers | xargs -r podman stop -t 60
    compose "$@" ;;
  up)
    wait=
    arguments=
    for argument in "$@"; do
      if [ "$argument" = --wait ]; then wait=1; else arguments="$arguments $argument"; fi
    done
    if [ -n "$(containers)" ]; then
      containers | xargs podman stop -t 60
      arguments="$arguments --force-recreate"
    fi
    compose $arguments
    # It goes on after an image that could not be built.
    for service in portal reports database proxy; do
      podman container exists "\${project}_\${service}_1" || { echo "$service has no container" >&2; exit 1; }
    done
    [ -n "$wait" ] || exit 0
    for container in $(containers); do
      tries=0
      until podman healthcheck run "$container" > /dev/null 2>&1; do
        tries=$((tries + 1))
        if [ $tries -ge 120 ]; then echo "$container did not get healthy" >&2; exit 1; fi
        sleep 1
      done
    done ;;
  *) compose "$@" ;;
esac
`

/** Opens podman with separate storage in a folder. */
export const openEngine = async () => {
  const folder = containerFolder()
  const programs = join(folder, 'programs')
  mkdirSync(programs, { recursive: true, mode: 0o700 })
  writeFileSync(join(programs, 'docker'), dockerStandIn, { mode: 0o755 })
  const storage = join(folder, 'storage.conf')
  writeFileSync(
    storage,
    `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
  )
  const settings = join(folder, 'containers.conf')
  const hasCgroups = existsSync('/sys/fs/cgroup/cgroup.controllers')
  // Podman would raise limits that this machine may not let it raise.
  writeFileSync(
    settings,
    `[containers]\n${hasCgroups ? '' : 'cgroups = "disabled"\n'}default_ulimits = ["nofile=4096:4096", "nproc=8192:8192"]
[network]\nnetwork_config_dir = "${folder}/networks"\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n`,
  )
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const holder = spawn('unshare', [...namespaces, 'sh', '-c', holdNamespaces, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  // The first process of the new namespaces is a child of unshare.
  const target = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim()
  const base = {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    CONTAINERS_STORAGE_CONF: storage,
    CONTAINERS_CONF: settings,
    BUILD_ARGUMENTS: buildArguments().join(' '),
    // Building needs no container runtime, so it works where containers cannot run.
    BUILDAH_ISOLATION: 'chroot',
    // The other format has no health checks.
    BUILDAH_FORMAT: 'docker',
  }
  /** Runs a program, such as podman or the stand-in for docker. @returns its standard output */
  const run = async (
    command: string[],
    { cwd = repository, env }: { cwd?: string; env?: Record<string, string> } = {},
  ): Promise<string> => {
    const inside = ['--mount', '--pid', `--target=${target}`, 'sh', '-c', 'cd "$0" && exec "$@"', cwd]
    const { stdout } = await promisify(execFile)('nsenter', [...inside, ...command], {
      env: { ...base, ...env },
      maxBuffer: 2 ** 28,
    })
    return stdout
  }
  /** The differences to a machine that runs containers without limits, for the log of a test. */
  const differences = [
    `docker is ${(await run(['podman', '--version'])).trim()} with podman-compose, by a stand-in for the command`,
    'nothing calls health checks by itself: the stand-in runs them',
    'images are built with chroot isolation; limits of files and processes are those of this machine',
    ...(hasCgroups ? [] : ['no cgroups: this machine has none that podman can use']),
    ...(buildArguments().length > 0 ? ['the build trusts the certificates of NODE_EXTRA_CA_CERTS'] : []),
  ]
  return { run, differences, stop: () => end(holder) }
}

const end = async (holder: ChildProcess): Promise<void> => {
  const ended = once(holder, 'exit')
  holder.stdin?.end()
  await ended
}

/** Options of `podman build`: certificates that this machine trusts, if a proxy inspects TLS. */
const buildArguments = (): string[] => {
  const ca = process.env.NODE_EXTRA_CA_CERTS
  return ca ? [`--secret=id=ca,src=${ca}`] : []
}

const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

/** Pulls the base image, or makes it with debootstrap where no registry is reached. @returns how */
export const ensureBaseImage = async ({ run }: Engine): Promise<string> => {
  if (await succeeds(run(['podman', 'image', 'exists', baseImage]))) return 'of an earlier run'
  const pull = ['timeout', '60', 'podman', 'pull', '-q', `docker.io/library/${baseImage}`]
  if (await succeeds(run(pull))) return 'pulled'
  if (!isOnPath('debootstrap')) throw new Error(`${baseImage} cannot be pulled, and debootstrap is missing`)
  const root = join(containerFolder(), 'debian')
  execFileSync('rm', ['-rf', '--one-file-system', root])
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', root], { stdio: 'ignore' })
  makeLikeOfficial(root)
  const importing = `tar -C "$0" -c . | podman import --change 'CMD ["bash"]' - ${baseImage}`
  await run(['sh', '-c', importing, root])
  execFileSync('rm', ['-rf', '--one-file-system', root])
  return 'made with debootstrap, without what the official slim image leaves out'
}

/** The package sources of the official images. */
export const sources = `deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
`

/**
 * Gives the system the package sources of the official slim image, and excludes the files that it
 * excludes, also from packages that are installed later.
 */
const makeLikeOfficial = (root: string): void => {
  writeFileSync(join(root, 'etc/apt/sources.list'), sources)
  const folders = ['doc', 'groff', 'info', 'linda', 'lintian', 'locale', 'man'].map(
    (name) => `usr/share/${name}`,
  )
  const rules = folders.map((path) => `path-exclude /${path}/*\n`)
  writeFileSync(
    join(root, 'etc/dpkg/dpkg.cfg.d/docker'),
    `${rules.join('')}path-include /usr/share/doc/*/copyright\n`,
  )
  for (const path of folders.filter((path) => path !== 'usr/share/doc')) {
    rmSync(join(root, path), { recursive: true, force: true })
    mkdirSync(join(root, path))
  }
  execFileSync('find', [join(root, 'usr/share/doc'), '-type', 'f', '!', '-name', 'copyright', '-delete'])
  const leftovers = ['var/cache/apt', 'var/lib/apt/lists'].map((path) => join(root, path))
  execFileSync('find', [...leftovers, '-type', 'f', '-delete'])
}

/** Removes our images, so that the next use builds them: with `layers`, from the base image. */
export const forgetImages = async ({ run }: Engine, { layers }: { layers: boolean }): Promise<void> => {
  const remove = layers ? ['rmi', '-f'] : ['untag']
  for (const target of targets) await succeeds(run(['podman', ...remove, `bi-manager/${target}`]))
  if (layers) await run(['podman', 'image', 'prune', '-f'])
}

/** Builds an image of the Dockerfile, reusing unchanged layers of an earlier build. */
export const buildImage = async ({ run }: Engine, target: string): Promise<void> => {
  await run(['docker', 'build', `--target=${target}`, `--tag=bi-manager/${target}`, '.'])
}

/** Returns the size of an image in MB, uncompressed, including shared layers. */
export const imageSize = async ({ run }: Engine, target: string): Promise<number> => {
  const bytes = await run(['podman', 'image', 'inspect', '--format={{.Size}}', `bi-manager/${target}`])
  return Math.round(Number(bytes) / 1e6)
}
