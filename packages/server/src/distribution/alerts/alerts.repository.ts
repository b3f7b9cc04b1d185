import { type Alert, type AlertDraft, alertEntity, MAX_ALERTS, ownTimes } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { nextRun } from '../../platform/lib/recurrence.ts'
import { choiceTrail, isVisibleTo, mayReadChoice, type Viewer } from '../../reports/index.ts'
import { createOwnRows } from '../deliveries/own-rows.ts'
import { type RecipientRules, readRecipientRules } from '../deliveries/sending-rules.ts'
import { type AlertRow, ownerSkipReason, selectAlerts, shownScope } from './alert-access.ts'
import type { Completed, initialState } from './check-draft.ts'
import { withoutLiterals } from './values/query-trail.ts'
import { decryptWebhook, encryptWebhook, newSecret } from './webhook.ts'

const alerts = (db: Db, viewer: Viewer) =>
  selectAlerts(db)
    .select(['hostWebhook', 'falha', 'proximaEm'])
    .select(sql<boolean>`${isVisibleTo(viewer)}`.as('isVisible'))

type Row = Awaited<ReturnType<ReturnType<typeof alerts>['execute']>>[number]

type Wire = { rules: RecipientRules; secrets: Secrets }

const toWire = (row: Row, viewer: Viewer, { rules, secrets }: Wire): Alert => {
  const isOwn = row.idUsuario === viewer.idUsuario
  const mostraValores = mayReadChoice({ ...row, isOwn })
  const { idAlerta, nomeAlerta, origem, pagina, tituloPagina, visual, tituloVisual, coluna } = row
  const { rotuloColuna, condicao, limite, percentual, frequencia, horario, fuso, porEmail, ativo } = row
  const { idRelatorio, nomeRelatorio, groupId: idGrupo, reportId, hostWebhook, estado, formato, falha } = row
  const seen = mostraValores
    ? { linha: row.linha, formas: row.formas, filtros: row.escolha }
    : { linha: null, formas: null, filtros: {} }
  const valor = mostraValores && row.alcance === shownScope(row, secrets) ? row.valor : null
  const endereco = mostraValores ? row.endereco : `relatorio=${idRelatorio}`
  return {
    idAlerta,
    nomeAlerta,
    origem,
    pagina,
    tituloPagina,
    visual,
    tituloVisual,
    coluna,
    rotuloColuna,
    condicao,
    limite,
    percentual,
    frequencia,
    horario,
    fuso,
    porEmail,
    ativo,
    hostWebhook,
    estado,
    formato,
    falha,
    mostraValores,
    valor,
    ...seen,
    relatorio: row.isVisible ? { idRelatorio, nomeRelatorio, idGrupo, reportId, endereco } : null,
    dono: { idUsuario: row.idUsuario, nomeUsuario: row.nomeUsuario },
    // A literal in it may name a patient, as the row may.
    consulta: viewer.isAdmin && mostraValores ? row.consulta : null,
    webhook: isOwn && viewer.isAdmin ? (decryptWebhook(secrets, row.webhook)?.endereco ?? null) : null,
    valorEm: row.valorEm?.toISOString() ?? null,
    proximaEm: row.proximaEm?.toISOString() ?? null,
    impedimento: row.ativo ? ownerSkipReason(row, rules) : null,
    versao: row.versaoAlerta,
  }
}

/** The columns of an alert that its audit lines have as they are. */
const audited = [
  'idRelatorio',
  'nomeAlerta',
  'origem',
  'pagina',
  'visual',
  'coluna',
  'condicao',
  'limite',
  'percentual',
  'frequencia',
  'horario',
  'fuso',
  'porEmail',
  'hostWebhook as webhook',
  'ativo',
] as const

/**
 * Returns the audited fields, also those that the caller may not see. The row may name a patient, and the
 * address of a webhook may hold a key: both are left out, and so are the comments, texts and numbers of a DAX
 * query. Of the filters there are the names.
 */
const trailOf = async (tx: Db, idAlerta: number) => {
  const { consulta, filtros, ...row } = await tx
    .selectFrom('alerta')
    .select([...audited, 'filtros', 'consulta'])
    .where('idAlerta', '=', idAlerta)
    .executeTakeFirstOrThrow()
  return { ...row, consulta: consulta && withoutLiterals(consulta), ...choiceTrail({ filtros }) }
}

export const createAlertRows = (secrets: Secrets) =>
  createOwnRows({
    entity: alertEntity,
    action: 'alert',
    active: 'ativo',
    limit: { most: MAX_ALERTS, problem: 'alertas_demais' },
    select: alerts,
    toWire: async (db, rows, viewer): Promise<Alert[]> => {
      const rules = await readRecipientRules(db)
      return rows.map((row) => toWire(row, viewer, { rules, secrets }))
    },
    prefix: 'nome',
    orders: { valorEm: [sql`coalesce(valor_em, '-infinity')`, 'alerta.idAlerta'] },
    trailOf,
    restart: sql`, falha = null, repeticoes = 0, ocupado_ate = null`,
  })

/** Returns the columns of a draft; those of another source or frequency are dropped. */
const valuesOf = (draft: AlertDraft, { reading: _, formas, ...completed }: Completed, now: Date) => {
  const { origem, condicao, linha, webhook: __, ...fields } = ownTimes(draft)
  const isDax = origem === 'DAX'
  return {
    ...fields,
    ...completed,
    origem,
    condicao,
    ...(isDax ? { pagina: null, visual: null, coluna: null } : { consulta: null }),
    chaveLinha: isDax || linha === null ? null : JSON.stringify(linha),
    formas: formas && JSON.stringify(formas),
    filtros: JSON.stringify(isDax ? {} : draft.filtros),
    limite: condicao === 'AUSENTE' ? null : draft.limite,
    percentual: condicao === 'VARIOU' && draft.percentual,
    proximaEm: draft.ativo ? nextRun(fields, now) : null,
    // Refreshes that have ended by now cause no evaluation.
    atualizadaAte: now,
    falha: null,
    repeticoes: 0,
    ocupadoAte: null,
  }
}

interface Saved {
  draft: AlertDraft
  completed: Completed
  state: ReturnType<typeof initialState>
  now: Date
}

const stateColumns = ({ state: { resultado: _, ...state }, now }: Saved) => ({ ...state, valorEm: now })

/** Keeps the secret of an unchanged address, and makes one for a new address. */
const webhookColumns = (secrets: Secrets, address: string | null, before?: AlertRow['webhook']) => {
  if (address === null) return { columns: { webhook: null, hostWebhook: null }, segredo: null }
  const known = decryptWebhook(secrets, before ?? null)
  const isKept = known?.endereco === address
  const segredo = isKept ? known.segredo : newSecret()
  const columns = {
    webhook: encryptWebhook(secrets, { endereco: address, segredo }),
    hostWebhook: new URL(address).host,
  }
  return { columns, segredo: isKept ? null : segredo }
}

export const insertAlert = async (
  tx: Db,
  secrets: Secrets,
  { idDono, idRelatorio }: { idDono: number; idRelatorio: number },
  saved: Saved,
) => {
  const { columns, segredo } = webhookColumns(secrets, saved.draft.webhook)
  const { idAlerta } = await tx
    .insertInto('alerta')
    .values({
      idDono,
      idRelatorio,
      ...valuesOf(saved.draft, saved.completed, saved.now),
      ...stateColumns(saved),
      ...columns,
    })
    .returning('idAlerta')
    .executeTakeFirstOrThrow()
  return { idAlerta, segredo }
}

/** @returns the secret of a new webhook */
export const updateAlert = async (tx: Db, secrets: Secrets, idAlerta: number, saved: Saved) => {
  const before = await tx
    .selectFrom('alerta')
    .select('webhook')
    .where('idAlerta', '=', idAlerta)
    .executeTakeFirstOrThrow()
  const { columns, segredo } = webhookColumns(secrets, saved.draft.webhook, before.webhook)
  await tx
    .updateTable('alerta')
    .set((eb) => ({
      ...valuesOf(saved.draft, saved.completed, saved.now),
      ...stateColumns(saved),
      ...columns,
      versao: eb('versao', '+', 1),
    }))
    .where('idAlerta', '=', idAlerta)
    .execute()
  return segredo
}

/** Makes another secret for the address. @returns undefined without a webhook */
export const renewSecret = async (tx: Db, secrets: Secrets, idAlerta: number) => {
  const { webhook } = await tx
    .selectFrom('alerta')
    .select('webhook')
    .where('idAlerta', '=', idAlerta)
    .executeTakeFirstOrThrow()
  const known = decryptWebhook(secrets, webhook)
  if (!known) return undefined
  const segredo = newSecret()
  await tx
    .updateTable('alerta')
    .set((eb) => ({
      webhook: encryptWebhook(secrets, { ...known, segredo }),
      versao: eb('versao', '+', 1),
    }))
    .where('idAlerta', '=', idAlerta)
    .execute()
  return segredo
}
