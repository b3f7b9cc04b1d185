import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureServiceFile } from '@bi-manager/reports/protocol/rest/service-file'
import { buildStale } from '../../../../scripts/launch/build-pages.ts'
import { freePorts } from '../../../../scripts/machines/ports.ts'
import { endProcess } from '../../../../scripts/nodes/bound-process.ts'
import { type Files, fixtureFiles, writeFiles } from '../../../reports/test/fixture.ts'
import { startMicrosoftNames } from './microsoft-names.ts'

const main = join(import.meta.dirname, '../../../reports/src/main.ts')

/**
 * Starts the report service with the fixture's data at Microsoft's addresses.
 * @param folder for its data, the certificate and the hosts file
 * @param files more files of its data folder
 */
export const startServiceAtMicrosoft = async (folder: string, files: Files = {}) => {
  const [pagePort] = await freePorts(1)
  const service = await startAsMicrosoft(folder, files, `http://localhost:${pagePort}`)
  const names = await startMicrosoftNames(folder, service.port)
  return {
    ...service,
    names,
    /** The port of the page that frames reports. */
    pagePort,
    stop: async () => {
      await names.stop()
      await service.stop()
    },
  }
}

/**
 * Starts a report service that gives Microsoft's addresses as its own.
 * @param publicUrl of the page that frames its reports
 */
export const startAsMicrosoft = async (folder: string, files: Files, publicUrl: string) => {
  const dataDir = join(folder, 'reports')
  await writeFiles(dataDir, { ...fixtureFiles, ...files })
  const credentials = await ensureServiceFile(dataDir)
  await buildStale()
  const [port] = await freePorts(1)
  const service = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      REPORTS_PORT: String(port),
      REPORTS_URL: 'https://app.powerbi.com',
      REPORTS_DATA_DIR: dataDir,
      REPORTS_TRUST_PROXY: 'true',
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const address = `http://localhost:${port}`
  await untilAnswers(`${address}/readyz`)
  return {
    credentials,
    port,
    /** The service itself, for calls of the test. */
    address,
    stop: () => endProcess(service, 'SIGTERM'),
  }
}

export const untilAnswers = async (url: string): Promise<Response> => {
  for (let waited = 0; waited < 60_000; waited += 200) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer && answer.status !== 503) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${url} did not answer`)
}
