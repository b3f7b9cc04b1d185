// Plain JavaScript on purpose: an old Node must print the message below before it loads TypeScript.
// npm puts node_modules/.bin first in PATH; the `node` package there has the right version.
const name = process.argv[2]
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Este comando precisa do Node 24 (este é o ${process.versions.node}): rode \`npm ci\`, com os scripts de instalação permitidos, e depois \`npm run ${name}\`.`,
  )
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
const command = await import(`./${name}.ts`)
await command.main?.()
