import { readFileSync } from 'node:fs'
import { startCompanyNetwork } from '@bi-manager/server/test/outbound/company-network'
import type { Files } from '../../../reports/test/fixture.ts'
import { startPortal } from './demo.ts'
import { makeCertificate } from './proxied.ts'
import { startAsMicrosoft } from './service-at-microsoft.ts'

/** The names of Microsoft's services that a portal and its readers call. */
const names = ['login.microsoftonline.com', 'api.powerbi.com', 'app.powerbi.com']

/**
 * Starts a portal with an empty database, connected to Microsoft's own addresses. A report service
 * answers there: it speaks the protocol of the embedded page, with rows of its own.
 * @param folder for the data of the service, and the certificate
 */
export const startReportsAsMicrosoft = async (
  folder: string,
  files: Files,
  settings: Record<string, string>,
) => {
  const { certificate, key } = makeCertificate(folder, names)
  const network = await startCompanyNetwork()
  const proxied = { HTTPS_PROXY: network.proxyUrl, NODE_EXTRA_CA_CERTS: certificate }
  const demo = await startPortal({ ...settings, ...proxied })
  const service = await startAsMicrosoft(folder, files, demo.portal)
  const tls = { key: readFileSync(key), cert: readFileSync(certificate) }
  const tlsPort = await network.withTls(service.address, tls)
  network.localPorts.set(443, tlsPort)
  return {
    portal: demo.portal,
    credentials: service.credentials,
    /** The argument with which Chromium resolves the names. */
    resolverRules: `--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1:${tlsPort}`).join()}`,
    stop: async () => {
      await demo.stop()
      await service.stop()
      await network.close()
    },
  }
}
