import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { GLOB_CHARACTERS } from '../../engine/data/database/plain-file.ts'

/** A folder to publish: one dataset with its files, or one workspace with its reports. */
export type Unit = { kind: 'datasets' | 'workspaces'; folder: string; name: string }

const MARKS = { datasets: 'dataset.json', workspaces: 'workspace.json' } as const

/** Returns the units in a folder: itself, its subfolders, or `datasets` and `workspaces`. */
export const findUnits = async (folder: string): Promise<Unit[]> => {
  const own = await unitsIn(folder)
  if (own.length) return own
  const inner = await foldersOf(folder)
  const units = await Promise.all(
    inner.map(async (name) => {
      const path = join(folder, name)
      const isPart = name === 'datasets' || name === 'workspaces'
      const direct = await unitsIn(path)
      if (direct.length || !isPart) return direct
      return (await Promise.all((await foldersOf(path)).map((one) => unitsIn(join(path, one))))).flat()
    }),
  )
  return units.flat()
}

const unitsIn = async (folder: string): Promise<Unit[]> => {
  const names = await readdir(folder)
  return (['datasets', 'workspaces'] as const)
    .filter((kind) => names.includes(MARKS[kind]))
    .map((kind) => ({ kind, folder, name: basename(folder) }))
}

const foldersOf = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}

/** Returns why a folder name is not allowed in the data folder, or undefined. */
export const nameFault = (name: string) =>
  GLOB_CHARACTERS.test(name) || name.startsWith('.')
    ? 'o nome da pasta não pode ter * ? [ ] { } \\ nem começar por ponto'
    : undefined
