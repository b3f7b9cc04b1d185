import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { shortLived } from './killed-server.ts'

const run = fileURLToPath(new URL('../../../../scripts/run.js', import.meta.url))

/** Runs `npm run <name> -- <args>` as an operator does. */
export const runCommandProcess = async (
  name: string,
  args: string[],
  settings: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [...shortLived.flags, run, name, ...args], {
    env: { ...shortLived.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}
