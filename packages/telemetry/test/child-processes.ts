import { readdir, readFile } from 'node:fs/promises'

/** Returns the ids of the children of a process that run the program. */
export const processesOf = async (program: string, parent = process.pid): Promise<number[]> => {
  const found: number[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    const [, starter] = /\) \S (\d+)/.exec(stat ?? '') ?? []
    if (Number(starter) === parent && command?.includes(program)) found.push(Number(pid))
  }
  return found
}
