import { ConfigError, loadConfig } from './config.ts'
import { DirectoryInUse } from './db/directory-lock.ts'
import { startServer } from './start-server.ts'

/* The portal's own start. Migrates, listens, and on SIGTERM or SIGINT finishes what is under way and stops. */

try {
  const server = await startServer(loadConfig(process.env), (error) => {
    console.error(`O banco de dados embutido parou: ${error.message}`)
    process.exit(1)
  })
  let closing = false
  const stop = async () => {
    if (closing) return
    closing = true
    await server.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Started by a launcher: its death, however sudden, ends this process too.
  process.once('disconnect', stop)
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
