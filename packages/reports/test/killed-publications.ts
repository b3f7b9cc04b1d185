import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { finishPublication } from '../src/authoring/publish/publication.ts'
import { UNKNOWN, writeFiles } from './fixture.ts'

const MAIN = fileURLToPath(new URL('./publish-and-die.ts', import.meta.url))
const AT_A_TIME = 4

const version = (word: string, other: string) => ({
  'dataset.json': { id: UNKNOWN, name: word, tables: { N: { file: 'a.csv' }, M: { file: other } } },
  'a.csv': `${word}\n1\n`,
  [other]: `${word}\n1\n`,
})

/** The valid states after a crash and the next start. */
export const OLD_OR_NEW = ['novo: a.csv c.csv dataset.json: novo', 'velho: a.csv b.csv dataset.json: velho']

/** Publishes repeatedly, killed after a growing number of disk changes, until one succeeds. */
export const outcomesOfCrashes = async (step: number): Promise<string[]> => {
  const home = await mkdtemp(join(tmpdir(), 'mortes-'))
  const outcomes = new Set<string>()
  try {
    const author = join(home, 'autor')
    await writeFiles(author, version('novo', 'c.csv'))
    for (let call = 1, isThrough = false; !isThrough; call += AT_A_TIME * step) {
      const calls = Array.from({ length: AT_A_TIME }, (_, index) => call + index * step)
      const ends = await Promise.all(calls.map((one) => dieAt(join(home, String(one)), author, one)))
      for (const { outcome } of ends) outcomes.add(outcome)
      isThrough = ends.some((end) => end.isThrough)
    }
  } finally {
    await rm(home, { recursive: true })
  }
  return [...outcomes].sort()
}

const dieAt = async (dataDir: string, author: string, call: number) => {
  const folder = join(dataDir, 'datasets/n')
  await writeFiles(folder, version('velho', 'b.csv'))
  const child = spawn(process.execPath, [MAIN, dataDir, author, String(call)], { stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (!(await finishPublication(dataDir))) throw new Error('an interrupted publication still holds the lock')
  if ((await readdir(join(dataDir, '.publicacao'))).includes('plano.json'))
    throw new Error('the publication is incomplete')
  const { name } = JSON.parse(await readFile(join(folder, 'dataset.json'), 'utf8'))
  const [data] = (await readFile(join(folder, 'a.csv'), 'utf8')).split('\n')
  return { isThrough: code === 0, outcome: `${name}: ${(await readdir(folder)).sort().join(' ')}: ${data}` }
}
