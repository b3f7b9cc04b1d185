import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What the service's own loader says of a folder; `files`: the definitions that it can use. */
export type TreeCheck = { warnings: string[]; files: string[] }
/** `only`: ids of datasets; the others are not read, nor are their reports, whose ids count all the same. */
export type TreeQuestion = { dataDir: string; memoryMegabytes: number; only: string[] }
/** From the scratch process: what it is reading, then what it found. */
export type TreeMessage = { reading: string } | { found: TreeCheck }

const MAIN = fileURLToPath(new URL('./check-tree-main.ts', import.meta.url))

/**
 * Loads a folder as the service would, in a process of its own: whatever a file does to its reader, nobody else notices.
 */
export function checkTree(question: TreeQuestion): Promise<TreeCheck> {
  const child = fork(MAIN, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let reading = ''
  let found: TreeCheck | undefined
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000)
  })
  child.on('message', (message: TreeMessage) => {
    if ('reading' in message) reading = message.reading
    else found = message.found
  })
  child.send(question)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (found) return resolve(found)
      const how = signal ? `sinal ${signal}` : `código ${code}: ${said.trim().split('\n').at(-1)}`
      resolve({
        warnings: [`${reading || 'pasta'}: o processo que confere terminou ao ler este conjunto (${how})`],
        files: [],
      })
    })
  })
}
