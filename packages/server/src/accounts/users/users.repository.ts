import {
  emailKey,
  fieldsWhere,
  type ListQuery,
  type User,
  type UserDraft,
  type UserOrder,
  type UserStatus,
  type UserType,
  type UserUpdate,
  userEntity,
} from '@bi-manager/contract'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { endOfDay, isActiveAccount, lastDayOf } from '../../platform/db/queries/expiry.ts'
import {
  containsWords,
  type ListPage,
  listPage,
  listWhole,
  type Orders,
  type WholeList,
} from '../../platform/db/queries/list-page.ts'
import type { Tables } from '../../platform/db/types.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { failureSentence, type MailFailure } from '../../platform/mail/mail-failure.ts'
import { nameColumns } from '../names/names-in-use.ts'
import { joinProfiles } from './join-profiles.ts'

type Order = (typeof UserOrder)[number]
type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'> & {
  situacao?: UserStatus | undefined
  tipoUsuario?: UserType | undefined
  emailComprovado?: 'true' | 'false' | undefined
}
type NewUser = Omit<UserDraft, 'senhaUsuario'> & {
  senhaHash: string
  /** 'pedida' when another person typed the password: the first sign-in asks for a new one. */
  trocarSenha: Selectable<Tables['usuario']>['trocarSenha']
}
/** An invited person has no password yet. */
export type AccountDraft = Omit<NewUser, 'senhaHash' | 'trocarSenha'> &
  Partial<Pick<UserChange, 'senhaHash' | 'trocarSenha' | 'identidadeRls'>>
/** An undefined password is left unchanged. */
type UserChange = Omit<UserUpdate, 'senhaUsuario'> & {
  senhaHash?: string | null | undefined
  trocarSenha?: Selectable<Tables['usuario']>['trocarSenha']
}

const orders: Orders<Order> = {
  nomeUsuario: ['nomeNatural', 'idUsuario'],
  emailUsuario: ['emailOrdem', 'idUsuario'],
  tipoUsuario: ['tipoUsuario', 'nomeNatural', 'idUsuario'],
  situacao: ['situacao', 'nomeNatural', 'idUsuario'],
  ultimoAcesso: [{ column: 'acessoUsuario.ultimoAcesso', nullable: true }, 'acessoUsuario.idUsuario'],
}

// The password hash is left out: it must never reach an answer or the audit trail.
const columns = [
  'usuario.idUsuario',
  // What the form edits this way is in a column of the field's name.
  ...fieldsWhere(userEntity, 'control', ['text', 'optionalText', 'choice', 'switch']),
  'idResponsavel',
  'temSegundoFator as segundoFator',
  'versao',
] as const

/** Computed fields, from the account's row and from other tables. */
const computedColumns = [
  sql<boolean>`(not usuario.email_por_provar)`.as('emailComprovado'),
  lastDayOf('usuario.venceEm').as('validoAte'),
  sql<Date | null>`(select ultimo_acesso from acesso_usuario a
    where a.id_usuario = usuario.id_usuario)`.as('ultimoAcesso'),
  sql<boolean>`(senha_hash is null and situacao = 'ATIVO' and not exists (
    select from identidade_externa e where e.id_usuario = usuario.id_usuario))`.as('convitePendente'),
  sql<Date | null>`(select max(ligada_em) from identidade_externa e
    where e.id_usuario = usuario.id_usuario)`.as('provedorDesde'),
  sql<Undelivered | null>`(select json_build_object(
      'em', (extract(epoch from n.em) * 1000)::bigint, 'codigo', n.codigo, 'motivo', n.motivo)
    from email_nao_entregue n
    where n.id_usuario = usuario.id_usuario and n.email = lower(usuario.email_usuario))`.as('naoEntregue'),
] as const

/** `em`: milliseconds since 1970. */
type Undelivered = MailFailure & { em: number }
type UserRow = Omit<User, 'ultimoAcesso' | 'provedorDesde' | 'emailFalhouEm' | 'emailFalhaMotivo'> & {
  ultimoAcesso: Date | null
  provedorDesde: Date | null
  naoEntregue: Undelivered | null
}

const asUser = ({ naoEntregue, ...row }: UserRow): User => ({
  ...row,
  ultimoAcesso: row.ultimoAcesso?.toISOString() ?? null,
  provedorDesde: row.provedorDesde?.toISOString() ?? null,
  emailFalhouEm: naoEntregue && new Date(naoEntregue.em).toISOString(),
  emailFalhaMotivo: naoEntregue && failureSentence(naoEntregue),
})

/**
 * Sorting by last sign-in reads `acesso_usuario`, which has an index in this order and a row per
 * user.
 */
const usersBy = (db: Db, isByLastSignIn: boolean) =>
  isByLastSignIn
    ? (db
        .selectFrom('acessoUsuario')
        .leftJoin('usuario', 'usuario.idUsuario', 'acessoUsuario.idUsuario') as unknown as Users)
    : db.selectFrom('usuario')
type Users = SelectQueryBuilder<Tables, 'usuario', object>

const isByLastSignIn = ({ ordem }: Pick<Filter, 'ordem'>): boolean =>
  ordem === 'ultimoAcesso' || ordem === '-ultimoAcesso'

const matching = (db: Db, { busca, ordem, situacao, tipoUsuario, emailComprovado }: Filter) =>
  usersBy(db, isByLastSignIn({ ordem }))
    .select(columns)
    .select(computedColumns)
    .$if(!!busca, (query) => query.where(containsWords(['nomeBusca', 'emailBusca'], busca ?? '')))
    .where((eb) => (situacao === undefined ? eb.lit(true) : eb('situacao', '=', situacao)))
    .where((eb) => (tipoUsuario === undefined ? eb.lit(true) : eb('tipoUsuario', '=', tipoUsuario)))
    .$if(emailComprovado !== undefined, (query) =>
      query.where('emailPorProvar', '=', emailComprovado === 'false'),
    )

const keyOf = (filter: Pick<Filter, 'ordem'>) =>
  isByLastSignIn(filter) ? 'acessoUsuario.idUsuario' : 'usuario.idUsuario'

export const listUsers = async (db: Db, query: ListQuery<Order> & Filter): Promise<ListPage<User>> => {
  const isNarrowed = !!(query.busca || query.situacao || query.tipoUsuario || query.emailComprovado)
  const page = await listPage(db, matching(db, query), {
    query,
    orders,
    byDefault: 'nomeUsuario',
    large: { name: 'usuario', key: keyOf(query), isNarrowed },
  })
  return { ...page, rows: page.rows.map(asUser) }
}

/** Returns `ultimoAcesso` as a Date, so that the CSV can format it. */
export const exportUsers = (db: Db, filter: Filter): Promise<WholeList<UserRow>> =>
  listWhole(matching(db, filter), {
    key: keyOf(filter),
    orders,
    order: filter.ordem ?? 'nomeUsuario',
  })

export const findUser = async (db: Db, id: number): Promise<User | undefined> => {
  const row = await matching(db, {}).where('idUsuario', '=', id).executeTakeFirst()
  return row && asUser(row)
}

/** Returns the user, and locks the row until the transaction ends. */
export const lockUser = async (tx: Db, id: number): Promise<User | undefined> => {
  const row = await matching(tx, {}).where('idUsuario', '=', id).forUpdate().executeTakeFirst()
  return row && asUser(row)
}

export const lockUserOfEmail = async (tx: Db, email: string): Promise<User | undefined> => {
  const row = await matching(tx, {})
    .where(sql<boolean>`lower(email_usuario) = ${emailKey(email)}`)
    .forUpdate()
    .executeTakeFirst()
  return row && asUser(row)
}

/**
 * Returns the ids of the active ADMINs. Until the transaction ends, no other one can revoke an
 * ADMIN's power: they wait for an advisory lock, which does not conflict with the row locks of
 * calls in progress.
 */
export const lockActiveAdmins = async (tx: Db): Promise<number[]> =>
  (await lockAdmins(tx)).map(({ idUsuario }) => idUsuario)

/** Like `lockActiveAdmins`, but leaves out accounts that will end. */
export const lockLastingAdmins = async (tx: Db): Promise<number[]> =>
  (await lockAdmins(tx)).flatMap(({ idUsuario, venceEm }) => (venceEm === null ? [idUsuario] : []))

const lockAdmins = async (tx: Db) => {
  await sql`select pg_advisory_xact_lock(hashtextextended('administradores', 0))`.execute(tx)
  return tx
    .selectFrom('usuario')
    .select(['idUsuario', 'venceEm'])
    .where('tipoUsuario', '=', 'ADMIN')
    .where(isActiveAccount())
    .execute()
}

export const insertUser = async (tx: Db, draft: NewUser): Promise<User> =>
  asUser(await insertion(tx, [draft]).executeTakeFirstOrThrow())

/** Returns undefined when an account has the e-mail already. */
export const insertUserUnlessEmailTaken = async (tx: Db, draft: AccountDraft): Promise<User | undefined> =>
  (await insertUsersOfNewEmails(tx, [draft]))[0]

/** Returns the users that were written; a draft whose e-mail is in use is skipped. */
export const insertUsersOfNewEmails = async (tx: Db, drafts: AccountDraft[]): Promise<User[]> => {
  const rows = await insertion(tx, drafts)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return rows.map(asUser)
}

const insertion = (tx: Db, drafts: AccountDraft[]) =>
  tx
    .insertInto('usuario')
    .values(
      drafts.map(({ validoAte, ...draft }) => ({
        ...draft,
        ...nameColumns(draft.nomeUsuario),
        ...endColumn(validoAte),
      })),
    )
    .returning(columns)
    .returning(computedColumns)

/** Returns the column of an account's last day; undefined leaves it unchanged. */
const endColumn = (validoAte: string | null | undefined) =>
  validoAte === undefined ? {} : { venceEm: endOfDay(validoAte) }

export const updateUser = async (tx: Db, id: number, { validoAte, ...change }: UserChange): Promise<User> =>
  asUser(
    await tx
      .updateTable('usuario')
      .set((eb) => ({
        ...change,
        ...(change.nomeUsuario === undefined ? {} : nameColumns(change.nomeUsuario)),
        ...endColumn(validoAte),
        versao: eb('versao', '+', 1),
      }))
      .where('idUsuario', '=', id)
      .returning(columns)
      .returning(computedColumns)
      .executeTakeFirstOrThrow(),
  )

/** @throws Problem 422 when one of the profiles no longer exists */
export const joinChosenProfiles = async (tx: Db, idUsuario: number, idPerfis: number[]): Promise<void> => {
  if (idPerfis.length === 0) return
  const found = await tx
    .selectFrom('perfil')
    .select('idPerfil')
    .where('idPerfil', 'in', idPerfis)
    .orderBy('idPerfil')
    .forKeyShare()
    .execute()
  if (found.length < idPerfis.length)
    throw new Problem('campos_invalidos', { campos: { idPerfis: 'Um dos perfis não existe mais.' } })
  await joinProfiles(
    tx,
    found.map(({ idPerfil }) => ({ idPerfil, idUsuario })),
  )
}

/** Deletes the user with all grants, memberships and sessions. */
export const deleteUser = async (tx: Db, id: number): Promise<User | undefined> => {
  const row = await tx
    .deleteFrom('usuario')
    .where('idUsuario', '=', id)
    .returning(columns)
    .returning(computedColumns)
    .executeTakeFirst()
  return row && asUser(row)
}

/** Returns those of these e-mails (lower case) that an account has already. */
export const findEmailsInUse = async (db: Db, emails: string[]): Promise<Set<string>> => {
  if (emails.length === 0) return new Set()
  const email = sql<string>`lower(email_usuario)`
  const rows = await db.selectFrom('usuario').select(email.as('email')).where(email, 'in', emails).execute()
  return new Set(rows.map((row) => row.email))
}

/** Returns the ids of the profiles by these names, which may differ in case and accents. */
export const findProfilesByName = async (db: Db, names: string[]): Promise<Map<string, number>> => {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ nome: string; idPerfil: number }>`
    select nome, id_perfil from unnest(${names}::text[]) as nome
    join perfil on nome_ordem = sem_acento(nome)`.execute(db)
  return new Map(rows.map(({ nome, idPerfil }) => [nome, idPerfil]))
}
