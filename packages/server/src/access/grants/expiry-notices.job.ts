import { brazilianDayOf } from '@bi-manager/contract'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount, lastDayOf } from '../../platform/db/queries/expiry.ts'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { runExclusively } from '../../platform/jobs/run-exclusively.ts'
import { listOf } from '../../platform/notifications/list-of.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { accessExpiresMail } from './expiry.mail.ts'

const hour = 3_600_000
/** Days before the end at which people are told. */
const DAYS_BEFORE = 7
/** Accounts or reports that a sentence names; the others are counted. */
const named = 5
const SUBJECT = 'contas-vencem'

type Needs = Pick<Services, 'config' | 'db' | 'now' | 'secrets'>

/** Tells people every hour of their accounts, grants and memberships that end within seven days. */
export const startExpiryNotices = (needs: Needs, log: Pick<FastifyBaseLogger, 'error'>) =>
  startRepeating({ name: 'search for accounts and grants that end', everyMs: hour, log }, () =>
    runExclusively(needs.db, 'expiry notices', (tx) => notifyOfEnds(tx, needs)),
  )

/** Tells of each end once; an end that was moved is told again. */
export const notifyOfEnds = async (tx: Db, needs: Omit<Needs, 'db'>): Promise<void> => {
  await notifyOfAccounts(tx, needs)
  await notifyOfGrants(tx, needs)
  await sql`delete from vencimento_avisado where vence_em < now() - interval '30 days'`.execute(tx)
}

/** SQL: whether the end in this column comes within the days of the notice. */
const endsSoon = (column: string) =>
  sql<boolean>`(${sql.ref(column)} > now() and ${sql.ref(column)} <= now() + make_interval(days => ${DAYS_BEFORE}))`

const notifyOfAccounts = async (tx: Db, needs: Omit<Needs, 'db'>): Promise<void> => {
  const { rows: told } = await sql<{ idUsuario: number }>`
    insert into vencimento_avisado (id_usuario, vence_em)
    select id_usuario, vence_em from usuario where ${isActiveAccount()} and ${endsSoon('usuario.venceEm')}
    on conflict do nothing returning id_usuario`.execute(tx)
  if (told.length === 0) return
  const ending = await tx
    .selectFrom('usuario')
    .select(['idUsuario', 'nomeUsuario'])
    .select(lastDayOf('usuario.venceEm').$notNull().as('validoAte'))
    .where(isActiveAccount())
    .where(endsSoon('usuario.venceEm'))
    .orderBy('venceEm')
    .orderBy('idUsuario')
    .execute()
  const isNew = new Set(told.map(({ idUsuario }) => idUsuario))
  for (const { validoAte, idUsuario } of ending.filter((one) => isNew.has(one.idUsuario))) {
    const texto = `Sua conta vale até ${brazilianDayOf(validoAte)}. Se ainda precisar dela, fale com quem administra o portal.`
    await tell(tx, needs, idUsuario, { titulo: 'Sua conta vence em breve', texto })
  }
  const names = ending
    .slice(0, named)
    .map(({ nomeUsuario, validoAte }) => `${nomeUsuario} (${brazilianDayOf(validoAte)})`)
  // One notification for all of them: it replaces the earlier one, which lacks the new accounts.
  await takeBack(tx, SUBJECT, { erase: true })
  const bell = {
    titulo: ending.length === 1 ? 'Uma conta vence em breve' : `${ending.length} contas vencem em breve`,
    texto: `Nos próximos ${DAYS_BEFORE} dias: ${listOf(names, ending.length - names.length)}.`,
    rota: '/usuario',
  }
  await notify(tx, { audience: 'administradores', kind: 'acesso_vence', subject: SUBJECT, bell }, needs.now())
}

/** Tells of the last way in which a person sees a report: an earlier end changes nothing. */
const notifyOfGrants = async (tx: Db, needs: Omit<Needs, 'db'>): Promise<void> => {
  const { rows } = await sql<{ idUsuario: number; nomeRelatorio: string; validoAte: string }>`
    with vencendo as (
      select id_usuario from relatorio_usuario g where ${endsSoon('g.venceEm')}
      union
      select id_usuario from perfil_usuario pu where ${endsSoon('pu.venceEm')}
    ), acesso as (
      select id_usuario, id_relatorio, bool_or(vence_em is null) as sem_fim, max(vence_em) as vence_em
      from (
        select id_usuario, id_relatorio, vence_em from relatorio_usuario
        union all
        select id_usuario, id_relatorio, vence_em from perfil_usuario join perfil_relatorio using (id_perfil)
      ) vias
      where id_usuario in (select id_usuario from vencendo)
      group by id_usuario, id_relatorio
    ), avisados as (
      insert into vencimento_avisado (id_usuario, id_relatorio, vence_em)
      select id_usuario, id_relatorio, acesso.vence_em
      from acesso join usuario using (id_usuario)
      where not sem_fim and ${endsSoon('acesso.venceEm')} and ${isActiveAccount()} and tipo_usuario = 'USER'
      on conflict do nothing returning id_usuario, id_relatorio, vence_em
    )
    select id_usuario, nome_relatorio, ${lastDayOf('avisados.venceEm')} as valido_ate
    from avisados join relatorio using (id_relatorio)
    order by id_usuario, avisados.vence_em, relatorio.nome_natural, id_relatorio`.execute(tx)
  for (const [idUsuario, grants] of Map.groupBy(rows, (row) => row.idUsuario)) {
    const names = grants
      .slice(0, named)
      .map(({ nomeRelatorio, validoAte }) => `“${nomeRelatorio}” (${brazilianDayOf(validoAte)})`)
    const titulo = grants.length === 1 ? 'Seu acesso a um relatório vence' : 'Seu acesso a relatórios vence'
    const texto = `Últimos dias de acesso: ${listOf(names, grants.length - names.length)}. Se ainda precisar, fale com quem administra o portal.`
    await tell(tx, needs, idUsuario, { titulo, texto })
  }
}

const tell = (
  tx: Db,
  services: Omit<Needs, 'db'>,
  idUsuario: number,
  words: { titulo: string; texto: string },
): Promise<void> => {
  const link = `${services.config.publicUrl}/`
  const message = (nome: string) => ({ mail: { nome, ...words, link } })
  const mail = { services, kind: accessExpiresMail, message }
  const bell = { ...words, rota: '/saidibi' }
  return notify(tx, { audience: [idUsuario], kind: 'acesso_vence', bell, mail }, services.now())
}
