import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** Starts a real mail server, without TLS by default. `received` has the parsed messages. */
export const startSmtp = async (options: SMTPServerOptions = {}, port = 0) => {
  const received: Email[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      stream
        .toArray()
        .then(async (chunks) => {
          received.push(await PostalMime.parse(Buffer.concat(chunks)))
          done()
        })
        .catch(done)
    },
    ...options,
  })
  // A client that disconnects or refuses the certificate is not a failure of the test.
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const { port: chosen } = listening.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${chosen}`,
    port: chosen,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
