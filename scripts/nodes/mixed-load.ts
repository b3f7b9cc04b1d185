import { setTimeout as sleep } from 'node:timers/promises'
import {
  ApiProblem,
  attachmentsApi,
  auditApi,
  beneficiariesApi,
  type Call,
  favoritesApi,
  grantsApi,
  medicalRecordsApi,
  menusApi,
  notificationsApi,
  PURPOSE_HEADER,
  reportExportsApi,
  reportRegistrationsApi,
  reportsApi,
  risks,
  sessionsApi,
  specialties,
  usersApi,
  workspacesApi,
} from '@bi-manager/contract'
import { attachmentDraft, tinyPng } from '../../packages/server/test/clinical/attachments.ts'
import { groupId } from '../../packages/server/test/stand-ins/provider-stand-in.ts'
import { password } from '../../packages/server/test/users.ts'
import { callerOf, signIn } from './caller.ts'
import { admin, type Cluster } from './cluster.ts'
import { type LoadPeople, nameOf } from './load-data.ts'
import { isLost, type Tally } from './tally.ts'

interface Definition {
  pages: { name: string }[]
}

/**
 * Calls the report service like the embed page does.
 * @throws ApiProblem like the portal's own client
 */
const call = async (url: string, token: string, body?: object): Promise<unknown> => {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (response.ok) return response.json()
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string } }
  const code = error?.code ?? 'LoadReportFailed'
  // The embed page has a Portuguese sentence for each code, and one for all others.
  const detail = `O serviço de relatórios não respondeu (${code}).`
  throw new ApiProblem(response.status, { codigo: code, detail })
}

const readDefinition = (origin: string, reportId: string, token: string) =>
  call(`${origin}/embed-api/reports/${reportId}`, token) as Promise<Definition>

const readPage = (origin: string, reportId: string, token: string, page: string) =>
  call(`${origin}/embed-api/reports/${reportId}/data`, token, { page, filters: [] })

const headers = { [PURPOSE_HEADER]: 'Atendimento' }
const any = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

/** Creates calls at a fixed rate, whatever the answers: users do not wait for each other. */
export const createMixedLoad = async (cluster: Cluster, people: LoadPeople, tally: Tally) => {
  const origin = cluster.url
  /** A signed-in user, who signs in again when the session has ended. */
  type Persona = Awaited<ReturnType<typeof enter>>
  const enter = async (username: string, secret = password) => {
    const { session } = await signIn(origin, username, secret)
    const { access_token: token, usuario_id: idUsuario } = session
    return { username, idUsuario, token, call: callerOf(origin, token) }
  }
  const viewers = await Promise.all(people.viewers.map((name) => enter(name)))
  const clinicians = await Promise.all(people.clinicians.map((name) => enter(name)))
  const watchers = await Promise.all(people.watchers.map((name) => enter(name)))
  let manager = await enter(admin.username, admin.password)
  const managerSince = { at: Date.now() }

  /** Acknowledged data, to be found in the database at the end. */
  const kept = { records: [] as number[], attachments: [] as number[], invited: [] as string[] }
  /** Errors of the load generator itself. */
  const mistakes: unknown[] = []
  const menu = await any(viewers).call(menusApi.list)
  const reports = menu
    .filter((workspace) => workspace.groupId !== groupId)
    .flatMap((workspace) => workspace.relatorios.map((one) => ({ ...one, groupId: workspace.groupId })))
  const beneficiaries = await any(clinicians).call(beneficiariesApi.list, { query: {} }, { headers })

  const ask = tally.call
  const openReport = async ({ call }: Persona) => {
    const { groupId, reportId, idRelatorio } = any(reports)
    const { embedToken } = await ask('relatório: token', 'report', () =>
      call(reportsApi.embed, { body: { groupId, reportId } }),
    )
    const definition = await ask('relatório: páginas', 'report', () =>
      readDefinition(cluster.reportsUrl, reportId, embedToken),
    )
    const { name } = any(definition.pages)
    await ask('relatório: dados', 'report', () => readPage(cluster.reportsUrl, reportId, embedToken, name))
    const body = { carregadoMs: 300, renderizadoMs: 900 }
    await ask('relatório: registro da visualização', 'quiet', () =>
      call(reportsApi.recordView, { params: { id: idRelatorio }, body }),
    )
  }
  const openMicrosoft = async ({ call }: Persona) => {
    const body = { groupId, reportId: any(people.microsoftReports) }
    await ask('relatório da Microsoft: token', 'report', () => call(reportsApi.embed, { body }))
  }
  const exportReport = async ({ call }: Persona) => {
    const id = any(reports).idRelatorio
    const { idExportacao } = await ask('exportação: pedido', 'write', () =>
      call(reportExportsApi.start, { params: { id }, body: { formato: 'PDF' } }),
    )
    for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(2_000)) {
      const { estado, motivo } = await ask('exportação: andamento', 'report', () =>
        call(reportExportsApi.get, { params: { id, idExportacao } }),
      )
      if (estado === 'FALHOU') return tally.failed('exportação: andamento', motivo ?? 'falhou')
      if (estado !== 'PRONTA') continue
      await ask('exportação: arquivo', 'write', () =>
        call(reportExportsApi.file, { params: { id, idExportacao } }),
      )
      return
    }
    tally.failed('exportação: andamento', 'não terminou em 2 minutos')
  }
  const visit = async () => {
    const persona = await ask('entrada', 'write', () => enter(any(people.visitors)))
    await ask('saída', 'quiet', () => persona.call(sessionsApi.signOut))
  }
  const writeRecord = async ({ call }: Persona) => {
    const { nome_beneficiario, id_beneficiario } = any(beneficiaries)
    const body = {
      nome_beneficiario,
      id_beneficiario,
      especialidade: any(specialties),
      risco_custo: any(risks),
      risco_doenca: any(risks),
      descricao_hd: 'Dor torácica.',
      prescricao_beneficiario: 'Repouso.',
    }
    const { id } = await ask('prontuário: gravação', 'write', () =>
      call(medicalRecordsApi.create, { body }, { headers }),
    )
    kept.records.push(id)
  }
  const readRecord = async ({ call }: Persona) => {
    const id = kept.records.length > 0 ? any(kept.records) : undefined
    if (id === undefined) return
    await ask('prontuário: leitura', 'query', () =>
      call(medicalRecordsApi.get, { params: { id } }, { headers }),
    )
  }
  const upload = async ({ call }: Persona) => {
    const file = new Blob([Uint8Array.from(await tinyPng)], { type: 'image/png' })
    const body = { ...attachmentDraft, id_beneficiario: any(beneficiaries).id_beneficiario }
    const { id } = await ask('anexo: envio', 'write', () =>
      call(attachmentsApi.create, { body, file } as never, { headers }),
    )
    kept.attachments.push(id)
  }
  const readFile = async ({ call }: Persona) => {
    const id = kept.attachments.length > 0 ? any(kept.attachments) : undefined
    if (id === undefined) return
    await ask('anexo: leitura', 'query', () =>
      call(attachmentsApi.file, { params: { id }, query: {} }, { headers }),
    )
  }
  const changeGrant = async () => {
    const { idUsuario } = any(watchers)
    const idRelatorio = any(reports).idRelatorio
    await ask<unknown>('permissão: mudança', 'write', () =>
      Math.random() < 0.5
        ? manager.call(grantsApi.create, { body: { idUsuario, idRelatorio } })
        : manager.call(grantsApi.removeAll, { params: { idUsuario } }),
    )
  }
  let invited = 0
  const invite = async () => {
    // Invitations need a recent sign-in, so sign in again after eight minutes.
    if (Date.now() - managerSince.at > 8 * 60_000) {
      manager = await ask('entrada', 'write', () => enter(admin.username, admin.password))
      managerSince.at = Date.now()
    }
    invited += 1
    const emailUsuario = `convidado${invited}@exemplo.com.br`
    const body = { nomeUsuario: nameOf(1_000 + invited), emailUsuario }
    await ask('convite', 'write', () => manager.call(usersApi.invite, { body }))
    kept.invited.push(emailUsuario)
  }
  const list = async () => {
    const lists = [usersApi.list, reportRegistrationsApi.list, workspacesApi.list, auditApi.list] as const
    const endpoint = any(lists) as typeof usersApi.list
    await ask('lista', 'query', () => manager.call(endpoint, { query: { tamanho: 20 } as never }))
  }

  const query = (kind: string, run: (call: Call) => Promise<unknown>) => () =>
    ask(kind, 'query', () => run(any(viewers).call))
  /** Relative weights, roughly in thousandths. */
  const actions: [number, () => Promise<unknown>][] = [
    [240, query('menu', (call) => call(menusApi.list))],
    [110, query('sessão', (call) => call(sessionsApi.current))],
    [90, query('notificações', (call) => call(notificationsApi.unread))],
    [60, query('favoritos', (call) => call(favoritesApi.list))],
    [150, list],
    [130, () => openReport(any(viewers))],
    [15, () => openMicrosoft(any(viewers))],
    [80, () => readRecord(any(clinicians))],
    [20, () => writeRecord(any(clinicians))],
    [10, () => upload(any(clinicians))],
    [30, () => readFile(any(clinicians))],
    [25, visit],
    [20, changeGrant],
    [5, invite],
  ]
  const wholeWeight = actions.reduce((sum, [weight]) => sum + weight, 0)
  const next = () => {
    let left = Math.random() * wholeWeight
    for (const [weight, run] of actions) {
      left -= weight
      if (left < 0) return run
    }
    return actions[0]?.[1]
  }

  const signInAgain = async (error: unknown) => {
    // The tally has counted the failure; an ended session is replaced.
    if (!(error instanceof ApiProblem) && !isLost(error)) mistakes.push(error)
    if (!(error instanceof ApiProblem && error.status === 401)) return
    for (const persona of [...viewers, ...clinicians, ...watchers]) {
      const isOver = await persona.call(sessionsApi.current).then(
        () => false,
        (refusal) => refusal instanceof ApiProblem && refusal.status === 401,
      )
      if (isOver) Object.assign(persona, await enter(persona.username).catch(() => persona))
    }
  }

  return {
    kept,
    mistakes,
    tokens: watchers.map((persona) => () => persona.token),
    /** Runs `rate` actions per second, and an export each minute, until the signal aborts. */
    run: async (rate: number, signal: AbortSignal) => {
      const running = new Set<Promise<unknown>>()
      const start = (action: (() => Promise<unknown>) | undefined) => {
        const one: Promise<unknown> = (action?.() ?? Promise.resolve())
          .catch(signInAgain)
          .finally(() => running.delete(one))
        running.add(one)
      }
      const steady = setInterval(() => start(next()), 1_000 / rate)
      const exporting = setInterval(() => start(() => exportReport(any(viewers))), 60_000)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      clearInterval(steady)
      clearInterval(exporting)
      await Promise.all(running)
    },
  }
}
