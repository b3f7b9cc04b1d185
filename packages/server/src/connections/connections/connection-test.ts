import { type ConnectionTest, TestStep } from '@bi-manager/contract'
import type { ProviderAddresses } from '../../platform/config/config.ts'
import type { Connection } from '../power-bi/connection.ts'
import {
  effectiveIdentityOf,
  type IdentityRules,
  identitiesFor,
  type Viewer,
} from '../power-bi/effective-identity.ts'
import { foreignPage, paginatedOfMaster } from '../power-bi/embed-denial-reason.ts'
import { createEntraTokens } from '../power-bi/entra-tokens.ts'
import { createPowerBiApi, type DatasetAddress, type PowerBiApi } from '../power-bi/power-bi-api.ts'
import { readDatasets } from '../power-bi/report-datasets.ts'
import { type Candidate, unregisteredReports, type Warnings } from './test-candidates.ts'
import { endOf, isFinal, TestEnd } from './test-end.ts'

interface Options {
  addresses: Record<Connection['provider'], ProviderAddresses>
  /** Milliseconds per call; the whole test takes at most twice that. */
  timeoutMs: number
  now: () => Date
  /** Registered reports of this connection, one per workspace: users will open them. */
  registered: (Candidate & { rules: IdentityRules })[]
  /** The user whose identity the embed token carries when the registered report sends one. */
  viewer: Viewer
}

/**
 * Tests a connection in four steps, as a report is opened: credential, groups, a report's metadata,
 * an embed token. Uses no cached answer. What cannot be read or embedded becomes a warning when
 * another report passes the step.
 */
export const testConnection = async (connection: Connection, options: Options): Promise<ConnectionTest> => {
  const { addresses, timeoutMs, now, registered, viewer } = options
  const deadline = AbortSignal.timeout(2 * timeoutMs)
  const limits = { addresses, timeoutMs, deadline }
  const tokens = createEntraTokens({ ...limits, now })
  const api = createPowerBiApi({ ...limits, tokens })
  const { embed } = addresses[connection.provider]
  const etapas: ConnectionTest['etapas'] = []
  const warnings: Trial['warnings'] = { registered: [], others: [] }

  const step = async <T>(nome: TestStep, work: () => Promise<Found<T>>): Promise<T> => {
    try {
      const { found, detalhe } = await work()
      etapas.push({ nome, ok: true, detalhe })
      return found
    } catch (error) {
      const end = endOf(error, connection)
      etapas.push({ nome, ok: end.ok, detalhe: end.message })
      throw end
    }
  }

  try {
    await step('credencial', () => tryCredential(tokens.tokenFor, connection))
    const groups = await step('grupos', () => tryGroups(api, connection))
    const trial: Trial = { api, connection, embed, viewer, deadline, warnings, tried: new Set() }
    const others = unregisteredReports({ api, connection, groups, embed, warnings: warnings.others })
    const candidates = followedBy(registered, others)
    const report = await step('relatorio', () => tryReports(trial, candidates))
    await step('token', () => tryTokens(trial, report, candidates))
    await checkOthers(trial, registered)
  } catch (error) {
    if (!(error instanceof TestEnd)) throw error
  }
  const rest = TestStep.options.slice(etapas.length)
  return {
    etapas: [...etapas, ...rest.map((nome) => ({ nome, ok: null, detalhe: untried }))],
    ...shownWarnings([...warnings.registered, ...warnings.others], etapas),
  }
}

const untried = 'Não testado: depende da etapa anterior.'

interface Found<T> {
  found: T
  detalhe: string
}

/** What the attempts of a test share. */
interface Trial {
  api: PowerBiApi
  connection: Connection
  embed: string
  viewer: Viewer
  deadline: AbortSignal
  warnings: { registered: Warnings; others: Warnings }
  tried: Set<Candidate>
}

interface TriedReport {
  target: Candidate
  /** Undefined for a paginated report. */
  dataset: DatasetAddress | undefined
  isPaginated: boolean
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

const tryGroups = async (api: PowerBiApi, connection: Connection) => {
  const groups = await api.listGroups(connection)
  if (groups.length === 0) {
    // An empty local service is no failure: its first publication creates the first workspace.
    if (connection.provider === 'local') throw new TestEnd(null, nothingPublished)
    throw new TestEnd(false, connection.profileId ? noGroupsOfProfile : noGroups)
  }
  const many = groups.length === 1 ? '1 grupo' : `${groups.length.toLocaleString('pt-BR')} grupos`
  return { found: groups, detalhe: `A conexão enxerga ${many}.` }
}

const noGroupsOfProfile =
  'A credencial vale, mas o perfil do service principal não participa de nenhum workspace: os do próprio aplicativo não contam. Confira em Avançado o id do perfil, ou dê a ele o papel de Membro em um workspace.'

const noGroups =
  'A credencial vale, mas a conexão não participa de nenhum workspace. No Power BI, abra o workspace, Gerenciar acesso, e adicione o aplicativo ou o usuário mestre como Membro; pode levar alguns minutos para valer.'

const nothingPublished =
  'A credencial vale. O serviço local ainda não tem relatórios: publique o primeiro em Publicar relatórios, e o workspace nasce com ele.'

type Candidates = AsyncIterator<Candidate, undefined>

async function* followedBy(first: Candidate[], rest: AsyncIterable<Candidate>) {
  yield* first
  yield* rest
  return undefined
}

/** Finds the first report that can be read. */
const tryReports = async (trial: Trial, candidates: Candidates): Promise<Found<TriedReport>> => {
  let first: TestEnd | undefined
  for (;;) {
    const target = await nextOf(candidates, first)
    if (!target) throw first ?? nothingToTest()
    try {
      const found = await readReport(trial, target)
      const what = found.isPaginated ? 'relatório paginado' : 'relatório'
      return { found, detalhe: `A conexão lê o ${what} "${target.name}".` }
    } catch (error) {
      const end = passOver(trial, target, error)
      first ??= end
      if (trial.deadline.aborted || isFinal(error)) throw first
    }
  }
}

/** @throws the first failure, if there was one, instead of the error of the search */
const nextOf = (candidates: Candidates, first: TestEnd | undefined): Promise<Candidate | undefined> =>
  candidates.next().then(
    ({ value }) => value,
    (error: unknown) => {
      throw first ?? error
    },
  )

const nothingToTest = () =>
  new TestEnd(
    null,
    'Não testado: não há relatório cadastrado nesta conexão, nem relatório que se possa incorporar nos primeiros grupos que ela enxerga. Publique um relatório e teste de novo.',
  )

/** Adds the warning about a report that fails; returns the end of the step if no other passes. */
const passOver = ({ connection, warnings }: Trial, target: Candidate, error: unknown): TestEnd => {
  const end = endOf(error, connection)
  const { groupName: grupo, name: relatorio } = target
  const list = target.rules ? warnings.registered : warnings.others
  if (end.ok === false) list.push({ grupo, relatorio, motivo: end.message })
  return end
}

const readReport = async (
  { api, connection, embed, tried }: Trial,
  target: Candidate,
): Promise<TriedReport> => {
  tried.add(target)
  const report = await api.getReport(connection, target.groupId, target.reportId)
  const { embedUrl, dataset, isPaginated } = report
  if (isPaginated && connection.credential.kind === 'master_user') throw new TestEnd(false, paginatedOfMaster)
  const foreign = embedUrl && foreignPage(embedUrl, connection.provider, embed)
  if (foreign) throw new TestEnd(false, foreign)
  return { target, dataset, isPaginated }
}

/** Reports of which a token is tried after the first one: each costs two or three calls. */
const othersTried = 5

/** Requests a token for the report, or for the first other one that gets a token. */
const tryTokens = async (trial: Trial, report: TriedReport, candidates: Candidates): Promise<Found<void>> => {
  let target: Candidate | undefined = report.target
  let first: TestEnd | undefined
  for (let count = 0; target && count <= othersTried; count += 1) {
    try {
      return await tryToken(trial, count === 0 ? report : await withDataset(trial, target))
    } catch (error) {
      const end = passOver(trial, target, error)
      first ??= end
      if (trial.deadline.aborted || isFinal(error)) break
      target = await nextOf(candidates, first)
    }
  }
  throw first ?? nothingToTest()
}

const withDataset = async (trial: Trial, target: Candidate): Promise<TriedReport> => {
  const { datasetId, groupId, isPaginated = false } = target
  if (isPaginated) return { target, dataset: undefined, isPaginated }
  return datasetId ? { target, dataset: { groupId, datasetId }, isPaginated } : readReport(trial, target)
}

const tryToken = async (
  { api, connection, viewer }: Trial,
  { target, dataset: own, isPaginated }: TriedReport,
): Promise<Found<void>> => {
  const { reportId, groupId, name, rules, datasetsAdicionais: additional = [] } = target
  if (!own && !isPaginated) {
    throw new TestEnd(
      false,
      `O relatório "${name}" não tem conjunto de dados, e o portal não o incorpora. Veja se o conjunto foi excluído.`,
    )
  }
  const datasets = await readDatasets(api, connection, { own, groupId, additional })
  if (!rules && datasets.some(({ requiresIdentity }) => requiresIdentity)) {
    const needed = datasets.some(({ requiresRoles }) => requiresRoles)
      ? 'e o token dele exige papéis de segurança. Cadastre-o com os papéis'
      : 'e o token dele exige uma identidade. Cadastre-o com os papéis de segurança ou com Enviar a identidade da pessoa'
    throw new TestEnd(
      null,
      `Não testado: o relatório "${name}" restringe linhas por pessoa, ${needed} e teste de novo.`,
    )
  }
  const identity = rules && effectiveIdentityOf(rules, viewer)
  await api.generateToken(connection, {
    reportId,
    datasetIds: datasets.map(({ id }) => id),
    identities: identitiesFor(datasets, identity, isPaginated ? reportId : undefined),
    isPaginated,
  })
  return {
    found: undefined,
    detalhe: `${serviceOf[connection.provider]} emitiu um token de visualização para o relatório "${name}".`,
  }
}

/** Warns about registered reports that cannot be read, after another one has passed all steps. */
const checkOthers = async (trial: Trial, targets: Candidate[]): Promise<void> => {
  for (const target of targets) {
    if (trial.tried.has(target)) continue
    if (trial.deadline.aborted) return
    await readReport(trial, target).catch((error: unknown) => void passOver(trial, target, error))
  }
}

/** A workspace can have hundreds of paginated reports, each with a warning. */
const shownAtMost = 20

/** Leaves out the only warning when a step already shows its sentence, and all beyond the limit. */
const shownWarnings = (
  warnings: Warnings,
  etapas: ConnectionTest['etapas'],
): Pick<ConnectionTest, 'avisos' | 'avisosOmitidos'> => {
  const isRepeated = warnings.length === 1 && etapas.some(({ detalhe }) => detalhe === warnings[0]?.motivo)
  const omitted = warnings.length - shownAtMost
  return {
    avisos: isRepeated ? [] : warnings.slice(0, shownAtMost),
    ...(omitted > 0 ? { avisosOmitidos: omitted } : {}),
  }
}
