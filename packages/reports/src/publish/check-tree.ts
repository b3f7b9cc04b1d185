import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The service loader's warnings about a folder, and the usable definition files. */
export type TreeCheck = { warnings: string[]; files: string[] }
/** `only`: ids of the datasets to read; other datasets and their reports only reserve their ids. */
export type TreeQuestion = { dataDir: string; memoryMegabytes: number; only: string[] }
/** Messages of the child process: the file being read, then the result. */
export type TreeMessage = { reading: string } | { found: TreeCheck }

const MAIN = fileURLToPath(new URL('./check-tree-main.ts', import.meta.url))

/** Loads a folder like the service, in a child process, which contains crashes. */
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
