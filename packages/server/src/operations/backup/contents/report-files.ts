import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTarDecoder } from 'modern-tar'
import {
  type Connection,
  connectionColumns,
  ProviderUnreachable,
  registeredConnection,
} from '../../../connections/index.ts'
import { createAuditWriter } from '../../../platform/audit/write-audit.ts'
import { CommandError } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Secrets } from '../../../platform/config/secrets.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { countText } from '../../../platform/lib/count-text.ts'
import { readIfThere } from '../../../platform/lib/missing-files.ts'
import { openReportArchive, refusalCodeOf } from './archive-api.ts'
import { isFullDisk, reasonOf } from './backup-failure.ts'
import { isInnerPath } from './manifest.ts'
import { filesInFolder, placeOf, type ReportFiles } from './report-folder.ts'

/*
 * What the local report service needs to come back: reports, data, versions and credentials. The
 * service sends it, wherever it runs. Its folder is read only where the portal sees it and the
 * service does not answer, as when both are stopped for a backup.
 */

type Needs = Pick<Config, 'dataDir' | 'localServiceFile' | 'bi'>

/** Without `files` and `missing`, there is no local report service. */
interface FoundReports {
  files?: ReportFiles | undefined
  /** Why the files of a local service cannot be read: one or more Portuguese sentences. */
  missing?: string
  /** What the operator must know anyway. */
  notice?: string
}

interface LocalConnection {
  name: string
  connection: Connection
}

const findLocalConnections = async (db: Db, config: Needs, secrets: Secrets): Promise<LocalConnection[]> => {
  const rows = await db
    .selectFrom('powerbi')
    .select(['nome', ...connectionColumns])
    .where('provedor', '=', 'local')
    .orderBy('powerbi.idPowerBi')
    .execute()
  return rows.map(({ nome, ...row }) => ({
    name: nome,
    connection: registeredConnection(row, { config, secrets }),
  }))
}

/** Opens what a backup takes of the local report service. It must be read at once. */
export const findReportFiles = async (db: Db, config: Needs, secrets: Secrets): Promise<FoundReports> => {
  const folder = config.localServiceFile ? dirname(config.localServiceFile) : join(config.dataDir, 'reports')
  const connections = await findLocalConnections(db, config, secrets)
  if (connections.length === 0) return existsSync(folder) ? { files: filesInFolder(folder) } : {}
  const address = config.bi.addresses.local.api
  const refusals: string[] = []
  for (const { name, connection } of connections) {
    try {
      const files = await filesOfService(connection, name, config)
      const several = `Há ${connections.length} conexões com provedor Local, todas com o serviço em ${address}: ele foi copiado uma vez.`
      return { files, ...(connections.length > 1 && { notice: several }) }
    } catch (error) {
      if (isUnreachable(error)) {
        const silent = `O serviço de relatórios em ${address} não respondeu`
        if (isOwnFolder(folder, connections))
          return { files: filesInFolder(folder), notice: `${silent}: os relatórios vêm da pasta ${folder}.` }
        return { missing: `${silent}: inicie-o, ou corrija REPORTS_INTERNAL_URL, e rode de novo.` }
      }
      refusals.push(refusalSentence(name, error))
    }
  }
  return { missing: refusals.join(' ') }
}

/** Whether the folder is that of the service of these connections, and not a forgotten one. */
const isOwnFolder = (folder: string, connections: LocalConnection[]): boolean => {
  const text = readIfThere(join(folder, 'service.json'))?.toLowerCase() ?? ''
  // A master user may have no application.
  return connections.some(
    ({ connection: { applicationId: id } }) => id !== '' && text.includes(`"${id.toLowerCase()}"`),
  )
}

const isUnreachable = (error: unknown): boolean => (error as Error).cause instanceof ProviderUnreachable

const refusalSentence = (name: string, error: unknown): string => {
  const code = refusalCodeOf(error)
  if (code === 'invalid_scope') {
    return `O serviço de relatórios não envia o que tem pela conexão ${name}: atualize-o, e use nela o clientId e o clientSecret de service.json.`
  }
  if (code === 'unauthorized_client') {
    return `O serviço de relatórios recusou a conexão ${name}: cópias são só para o primeiro aplicativo de service.json.`
  }
  return `O serviço de relatórios recusou a conexão ${name}: ${(error as Error).message}`
}

const filesOfService = async (connection: Connection, name: string, { bi }: Needs): Promise<ReportFiles> => {
  const { addresses, timeoutMs } = bi
  const { chunks, headers } = await openReportArchive(connection, { addresses, timeoutMs })
  return {
    origem: 'servico',
    from: `do serviço em ${addresses.local.api}, pela conexão ${name}`,
    bytes: Number(headers.get('x-archive-bytes') ?? 0),
    read: async function* () {
      const seen = new Set<string>()
      const source = ReadableStream.from(chunks) as ReadableStream<Uint8Array>
      const entries = source.pipeThrough(createTarDecoder({ strict: true }))
      for await (const { header, body } of entries) {
        const { name: path, type, size } = header
        if (type !== 'file' || !isInnerPath(path) || seen.has(path))
          throw new Error(`the report service sent an unexpected entry ${path}`)
        seen.add(path)
        yield { caminho: placeOf(path), bytes: size, content: body as unknown as AsyncIterable<Uint8Array> }
      }
      if (!seen.has('service.json')) throw new Error('the report service sent no service.json')
    },
  }
}

/** Returns what a backup has of the report service, by the paths of its files. */
export const countReports = (paths: string[]): { relatorios: number; conjuntos: number } => {
  const countOf = (pattern: RegExp) => paths.filter((path) => pattern.test(path)).length
  return {
    relatorios: countOf(/^files\/reports\/workspaces\/[^/]+\/(?!workspace\.json$)[^/]+\.json$/),
    conjuntos: countOf(/^files\/reports\/datasets\/[^/]+\/dataset\.json$/),
  }
}

/** @returns Portuguese, such as `2 relatórios e 1 conjunto de dados` */
export const reportsText = ({ relatorios, conjuntos }: ReturnType<typeof countReports>): string =>
  `${countText(relatorios, 'relatório', 'relatórios')} e ${countText(conjuntos, 'conjunto', 'conjuntos')} de dados`

export const incompleteText = (missing: string): string =>
  `Cópia INCOMPLETA: os relatórios publicados, os dados deles e as credenciais do serviço de relatórios não vão nela. ${missing}`

/** Why the files could not be read to the end. */
export const lostText = (error: unknown): string =>
  error instanceof CommandError || isFullDisk(error)
    ? reasonOf(error)
    : `A leitura do serviço de relatórios parou no meio (${(error as Error).message.replace(/\.$/, '')}): veja o registro dele e rode de novo.`

/** Records, before it happens, that a backup reads everyone's data at the report service. */
export const recordReportsRead = async (
  db: Db,
  { bi }: Pick<Config, 'bi'>,
  secrets: Secrets,
): Promise<void> => {
  const rows = await db.selectFrom('powerbi').select('idPowerBi').where('provedor', '=', 'local').execute()
  if (rows.length === 0) return
  await createAuditWriter(secrets, () => new Date())(db, {
    action: 'backup.reports-read',
    idUsuario: null,
    details: { servico: bi.addresses.local.api, idPowerBi: rows.map(({ idPowerBi }) => idPowerBi) },
  })
}
