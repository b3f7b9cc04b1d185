import { spawn } from 'node:child_process'

/**
 * Runs commands with the same Node, two at a time, and prints the output of each in one piece.
 * @returns whether all of them exited with 0
 */
export async function run(title: string, commands: string[][]): Promise<boolean> {
  console.log(`\n── ${title}`)
  const started = performance.now()
  const waiting = [...commands]
  let passed = true
  const worker = async () => {
    for (let args = waiting.shift(); args; args = waiting.shift()) {
      const { code, output } = await runNode(args)
      process.stdout.write(output)
      if (code !== 0) passed = false
    }
  }
  await Promise.all([worker(), worker()])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${title}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`)
  return passed
}

function runNode(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })
}
