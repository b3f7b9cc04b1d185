// Plain JavaScript on purpose: an old Node must reach the sentence below before it meets any TypeScript.
// npm puts node_modules/.bin first, where the `node` package of package.json gives the right version.
const name = process.argv[2]
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Este comando precisa do Node 24 (este é o ${process.versions.node}): rode \`npm ci\`, com os scripts de instalação permitidos, e depois \`npm run ${name}\`.`,
  )
  process.exit(1)
}
// What Node compiles is kept for the next start, of this process's children too: beside the packages, where nobody writes who
// could not change them. Where that folder cannot be written to, nothing is kept.
process.env.NODE_COMPILE_CACHE ||= `${import.meta.dirname}/../node_modules/.cache/compiled`
// Large pieces of memory that were freed go back to the system. By itself, the C library keeps more of them the larger they are:
// 130 MB of the portal's at rest. Of the children alone: it is read as a process starts.
process.env.MALLOC_MMAP_THRESHOLD_ ||= '131072'
const { enableCompileCache } = await import('node:module')
enableCompileCache()
const command = await import(`./${name}.ts`)
await command.main?.()
