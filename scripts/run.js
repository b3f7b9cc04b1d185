// Plain JavaScript on purpose: an old Node must print the message below before it loads TypeScript.
// npm puts node_modules/.bin first in PATH; the `node` package there has the right version.
import { hostname } from 'node:os'

const name = process.argv[2]
const format = process.env.LOG_FORMAT?.trim()
// As the programs choose it themselves: without LOG_FORMAT, only the services write JSON.
const isJson = format === 'json' || (name === 'start' && format !== 'texto' && !process.stdout.isTTY)

/** Logs what ends this program before it has its own log, in the same form. */
const logFatal = (about) => {
  const service = name === 'start' ? 'npm' : 'comando'
  const line = { level: 'fatal', time: new Date().toISOString(), service, pid: process.pid, host: hostname() }
  console.log(JSON.stringify(Object.assign(line, about)))
}

if (Number(process.versions.node.split('.')[0]) < 24) {
  const msg = `Este comando precisa do Node 24 (este é o ${process.versions.node}): rode \`npm ci\`, com os scripts de instalação permitidos, e depois \`npm run ${name}\`.`
  if (isJson) logFatal({ msg })
  else console.error(msg)
  process.exit(1)
}
// Caches compiled code for the next start, also of child processes. The folder is next to the
// packages: a user who can write to it can change those too. Without write access, nothing is
// cached.
process.env.NODE_COMPILE_CACHE ||= `${import.meta.dirname}/../node_modules/.cache/compiled`
// Returns large freed blocks of memory to the system, which the C library otherwise keeps. Affects
// child processes only, since it is read when a process starts.
process.env.MALLOC_MMAP_THRESHOLD_ ||= '131072'
const { enableCompileCache } = await import('node:module')
enableCompileCache()
try {
  const command = await import(`./${name}.ts`)
  await command.main?.()
} catch (error) {
  // A program with a log logs its own failures.
  if (!isJson || process.listenerCount('uncaughtException') > 0) throw error
  const { name: type, message, stack } = Object(error)
  logFatal({ err: { type, message, stack }, msg: 'the start failed' })
  process.exit(1)
}
