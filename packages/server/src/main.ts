import { ConfigError, loadConfig } from './config.ts'
import { DirectoryInUse } from './db/directory-lock.ts'
import { startServer } from './start-server.ts'

/*
 * The portal's own start. Migrates and listens. SIGTERM drains before it stops: a load balancer
 * first takes the process out. SIGINT, the Ctrl+C of a person, and a second SIGTERM stop without
 * that wait. Both finish the calls in progress.
 */

try {
  const server = await startServer(loadConfig(process.env), (error) => {
    console.error(`O banco de dados embutido parou: ${error.message}`)
    process.exit(1)
  })
  const stopNow = new AbortController()
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await server.close(stopNow.signal)
    process.exit(0)
  }
  const stopWithoutDraining = () => {
    stopNow.abort()
    void stop()
  }
  process.on('SIGTERM', () => (isStopping ? stopNow.abort() : void stop()))
  process.on('SIGINT', stopWithoutDraining)
  // Started by a launcher: its death, however sudden, ends this process too.
  process.once('disconnect', stopWithoutDraining)
  process.channel?.unref()
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DirectoryInUse || isAddressInUse(error)
  console.error(known ? sentenceOf(error) : error)
  // 78, as in sysexits.h: the sentence has been said, and nobody needs to add one.
  process.exit(known ? 78 : 1)
}

function isAddressInUse(error: unknown): error is NodeJS.ErrnoException & { port: number } {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

function sentenceOf(error: Error): string {
  return isAddressInUse(error)
    ? `A porta ${error.port} já está em uso: escolha outra em PORT.`
    : error.message
}
