import { readdir, readFile } from 'node:fs/promises'

/** Returns the ids of the child processes that run the program. */
export const processesOf = async (program: string): Promise<number[]> => {
  const found: number[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    const [, parent] = /\) \S (\d+)/.exec(stat ?? '') ?? []
    if (Number(parent) === process.pid && command?.includes(program)) found.push(Number(pid))
  }
  return found
}
