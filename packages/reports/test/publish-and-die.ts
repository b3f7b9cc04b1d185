import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/* Publishes a folder and kills itself before the n-th call that changes the disk. */

const [dataDir = '', folder = '', last = ''] = process.argv.slice(2)
let calls = 0
for (const name of ['rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'copyFile', 'link', 'open'] as const) {
  const real = promises[name] as (...args: unknown[]) => Promise<unknown>
  Object.assign(promises, {
    [name]: (...args: unknown[]) => {
      if (++calls >= Number(last)) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    },
  })
}
syncBuiltinESMExports()
const {
  withPublicationLock: alone,
  commit,
  newFolder,
} = await import('../src/authoring/publish/publication.ts')
const { prepare } = await import('../src/authoring/publish/prepare.ts')
await alone(dataDir, async () => {
  const tree = await newFolder(dataDir)
  const { sources, remove } = await prepare(dataDir, folder, tree)
  await commit(dataDir, { folder: tree, place: [...sources.keys()], remove })
})
process.exit(0)
