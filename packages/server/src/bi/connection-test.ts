import { type ConnectionTest, TestStep } from '@bi-manager/contract'
import type { ProviderAddresses } from '../config/config.ts'
import { Problem } from '../lib/problem.ts'
import type { Connection } from './connection.ts'
import { effectiveIdentityOf, type Viewer } from './effective-identity.ts'
import { createEntraTokens } from './entra-tokens.ts'
import { createPowerBiApi, type EffectiveIdentity, type PowerBiApi } from './power-bi-api.ts'
import { adviceFor } from './provider-advice.ts'

interface RegisteredReport {
  name: string
  /** Ids at the provider. */
  groupId: string
  reportId: string
  roles: string[]
}

interface Options {
  addresses: Record<Connection['provider'], ProviderAddresses>
  /** Milliseconds per call; the whole test takes at most twice that. */
  timeoutMs: number
  now: () => Date
  /** A registered report of this connection, if any: users will open it. */
  registered: RegisteredReport | undefined
  /** The user whose identity the embed token carries when the registered report has roles. */
  viewer: Viewer
}

/**
 * Tests a connection in four steps, as a report is opened: credential, groups, a report's metadata,
 * an embed token. Uses no cached answer.
 */
export const testConnection = async (connection: Connection, options: Options): Promise<ConnectionTest> => {
  const { addresses, timeoutMs, now, registered } = options
  const limits = { addresses, timeoutMs, deadline: AbortSignal.timeout(2 * timeoutMs) }
  const tokens = createEntraTokens({ ...limits, now })
  const api = createPowerBiApi({ ...limits, tokens })
  const etapas: ConnectionTest['etapas'] = []

  const step = async <T>(nome: TestStep, work: () => Promise<Found<T>>): Promise<T> => {
    try {
      const { found, detalhe } = await work()
      etapas.push({ nome, ok: true, detalhe })
      return found
    } catch (error) {
      const end = error instanceof TestEnd ? error : failureOf(error, nome, connection)
      etapas.push({ nome, ok: end.ok, detalhe: end.message })
      throw end
    }
  }

  try {
    await step('credencial', () => tryCredential(tokens.tokenFor, connection))
    const groups = await step('grupos', () => tryGroups(api, connection))
    const seen = reportsSeen(api, connection, groups)
    const report = await step('relatorio', async () => {
      const target = registered ?? (await firstOf(seen))
      return tryReport(api, connection, target, addresses[connection.provider].embed)
    })
    await step('token', () => tryToken(api, connection, { report, others: seen, viewer: options.viewer }))
  } catch (error) {
    if (!(error instanceof TestEnd)) throw error
  }
  const rest = TestStep.options.slice(etapas.length)
  return { etapas: [...etapas, ...rest.map((nome) => ({ nome, ok: null, detalhe: untried }))] }
}

const untried = 'Não testado: depende da etapa anterior.'

interface Found<T> {
  found: T
  detalhe: string
}

interface Target {
  name: string
  groupId: string
  reportId: string
  /** Undefined for an unregistered report. */
  roles?: string[] | undefined
}

interface TriedReport extends Target {
  datasetId: string | undefined
  datasetGroupId: string
}

/** Ends the test: failed (false), or not tested (null) because there is nothing to test. */
class TestEnd extends Error {
  readonly ok: false | null

  constructor(ok: false | null, detalhe: string) {
    super(detalhe)
    this.ok = ok
  }
}

const failureOf = (error: unknown, nome: TestStep, connection: Connection): TestEnd => {
  if (!(error instanceof Problem)) throw error
  return new TestEnd(false, adviceFor(error, nome, connection))
}

const nameOf = { microsoft: 'O Microsoft Entra', local: 'O serviço local' }
const serviceOf = { microsoft: 'O Power BI', local: 'O serviço local' }

const tryCredential = async (
  tokenFor: (connection: Connection) => Promise<string>,
  connection: Connection,
): Promise<Found<void>> => {
  await tokenFor(connection)
  return { found: undefined, detalhe: `${nameOf[connection.provider]} aceitou a credencial.` }
}

const tryGroups = async (api: PowerBiApi, connection: Connection): Promise<Found<{ id: string }[]>> => {
  const groups = await api.listGroups(connection)
  if (groups.length === 0) throw new TestEnd(false, noGroups[connection.provider])
  const many = groups.length === 1 ? '1 grupo' : `${groups.length} grupos`
  return { found: groups, detalhe: `A conexão enxerga ${many}.` }
}

const noGroups = {
  microsoft:
    'A credencial vale, mas a conexão não participa de nenhum workspace. No Power BI, abra o workspace, Gerenciar acesso, e adicione o aplicativo ou o usuário mestre como Membro; pode levar alguns minutos para valer.',
  local:
    'O serviço local ainda não publica nenhum workspace. Coloque relatórios na pasta workspaces dele e reinicie-o.',
}

/** Limits of the search: each group and report costs a call. */
const groupsLookedInto = 5
const othersLookedInto = 5

type Seen = AsyncGenerator<Target & { datasetId: string; datasetGroupId: string }>

/** Yields reports that can be embedded, one per dataset; requests them lazily. */
async function* reportsSeen(api: PowerBiApi, connection: Connection, groups: { id: string }[]): Seen {
  const datasets = new Set<string>()
  for (const { id: groupId } of groups.slice(0, groupsLookedInto)) {
    for (const { id: reportId, name, datasetId } of await api.listReports(connection, groupId)) {
      if (!datasetId || datasets.has(datasetId)) continue
      datasets.add(datasetId)
      yield { groupId, reportId, name, datasetId, datasetGroupId: groupId }
    }
  }
}

const firstOf = async (seen: Seen): Promise<Target> => {
  const { value } = await seen.next()
  if (value) return value
  throw new TestEnd(
    null,
    'Não testado: não há relatório cadastrado nesta conexão, nem relatório que se possa incorporar nos primeiros grupos que ela enxerga. Publique um relatório e teste de novo.',
  )
}

const tryReport = async (
  api: PowerBiApi,
  connection: Connection,
  target: Target,
  embed: string,
): Promise<Found<TriedReport>> => {
  const report = await api.getReport(connection, target.groupId, target.reportId)
  const { origin } = new URL(report.embedUrl)
  if (origin !== new URL(embed).origin) {
    const setting = connection.provider === 'local' ? 'REPORTS_URL' : 'POWERBI_EMBED_URL'
    throw new TestEnd(
      false,
      `O relatório é exibido em ${origin}, mas o portal só aceita ${embed}. Corrija a configuração ${setting}.`,
    )
  }
  const { datasetId, datasetWorkspaceId } = report
  return {
    found: { ...target, datasetId, datasetGroupId: datasetWorkspaceId ?? target.groupId },
    detalhe: `A conexão lê o relatório "${target.name}".`,
  }
}

interface TokenTrial {
  report: TriedReport
  /** Other reports, for when the roles of this one are not registered. */
  others: Seen
  viewer: Options['viewer']
}

const tryToken = async (
  api: PowerBiApi,
  connection: Connection,
  { report, others, viewer }: TokenTrial,
): Promise<Found<void>> => {
  const { reportId, name, roles, datasetId, datasetGroupId } = report
  if (!datasetId) {
    throw new TestEnd(
      false,
      `O relatório "${name}" não tem conjunto de dados (é paginado), e o portal não o incorpora. Cadastre um relatório do Power BI comum.`,
    )
  }
  const { requiresIdentity } = await api.getDataset(connection, datasetGroupId, datasetId)
  if (requiresIdentity && !roles?.length) {
    if (roles) throw new Problem('bi_identidade_necessaria')
    const open = await firstOpen(api, connection, others)
    if (open) return issueToken(api, connection, open)
    throw new TestEnd(
      null,
      `Não testado: o relatório "${name}" restringe linhas por pessoa, e o token dele exige papéis de segurança. Cadastre-o com os papéis e teste de novo.`,
    )
  }
  const identity = effectiveIdentityOf({ papeisRls: roles ?? [] }, viewer)
  return issueToken(api, connection, { reportId, name, datasetId, identity })
}

const issueToken = async (
  api: PowerBiApi,
  connection: Connection,
  {
    name,
    ...asked
  }: { name: string; reportId: string; datasetId: string; identity?: EffectiveIdentity | undefined },
): Promise<Found<void>> => {
  await api.generateToken(connection, { identity: undefined, ...asked })
  return {
    found: undefined,
    detalhe: `${serviceOf[connection.provider]} emitiu um token de visualização para o relatório "${name}".`,
  }
}

/** Returns the first report that requires no identity. */
const firstOpen = async (api: PowerBiApi, connection: Connection, others: Seen) => {
  let looked = 0
  for await (const { reportId, name, datasetId, datasetGroupId } of others) {
    // An unreadable report is skipped like one that restricts rows.
    const isOpen = await api.getDataset(connection, datasetGroupId, datasetId).then(
      ({ requiresIdentity }) => !requiresIdentity,
      () => false,
    )
    if (isOpen) return { reportId, name, datasetId }
    looked += 1
    if (looked === othersLookedInto) return undefined
  }
  return undefined
}
