import { UserStatus } from '../accounts/users.ts'
import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { idField, idList, lastDay, requiredLine } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { Grant, ReportChoice } from './grants.ts'

/** A named set of reports ('Perfil'), which its members see in addition to their own grants. */
export const Profile = namedObject('Profile', {
  idPerfil: z.number().int(),
  nomePerfil: z.string(),
  quantidadeRelatorios: z.number().int(),
  /** Without those whose last day has passed. */
  quantidadeMembros: z.number().int(),
  versao: z.number().int(),
})
export type Profile = z.infer<typeof Profile>

export const ProfileDraft = namedObject('ProfileDraft', { nomePerfil: requiredLine(80) })

export const ProfileReport = Grant.omit({ idUsuario: true, validoAte: true }).meta({ id: 'ProfileReport' })
export type ProfileReport = z.infer<typeof ProfileReport>

const person = {
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  emailUsuario: z.string(),
}

export const ProfileMember = namedObject('ProfileMember', {
  ...person,
  /** The last day (yyyy-mm-dd, America/Sao_Paulo) on which the membership counts; null: no end. */
  validoAte: z.string().nullable(),
})
export type ProfileMember = z.infer<typeof ProfileMember>

/** A person who is or may become a member. */
export type MemberPerson = Omit<ProfileMember, 'validoAte'>

/** A user who may join a profile. */
export const MemberCandidate = namedObject('MemberCandidate', {
  ...person,
  situacao: UserStatus,
  /** Whether they are a member whose last day has not passed. */
  jaMembro: z.boolean(),
})
export type MemberCandidate = z.infer<typeof MemberCandidate>

/** Members that one call adds, and lines of a pasted list. */
export const MEMBERS_AT_ONCE = 1_000

/** The check of a pasted line: whose e-mail it is, or why the line adds no member. */
export const EmailCheck = namedObject('EmailCheck', {
  /** The e-mail as pasted. */
  email: z.string(),
  resultado: z.enum(['encontrado', 'ja_membro', 'repetido', 'desconhecido', 'invalido']),
  /** null for `desconhecido` and `invalido`. */
  pessoa: MemberCandidate.nullable(),
})
export type EmailCheck = z.infer<typeof EmailCheck>

/** Members to add and remove in one transaction; changes without effect are allowed. */
export const MemberChange = namedObject('MemberChange', {
  adicionar: idList(MEMBERS_AT_ONCE).default([]),
  remover: idList(MEMBERS_AT_ONCE).default([]),
  /** New last days of members, also of those who join; the others keep theirs. */
  prazos: z
    .array(z.object({ idUsuario: idField(), validoAte: lastDay }))
    .max(MEMBERS_AT_ONCE)
    .default([]),
})

export const profileEntity = entity({
  kind: 'perfil',
  title: 'Perfil',
  list: 'perfis',
  path: '/perfis',
  permission: 'profiles:manage',
  table: 'perfil',
  id: 'idPerfil',
  name: 'nomePerfil',
  actions: {
    'profile.created': 'Criou um perfil',
    'profile.updated': 'Renomeou um perfil',
    'profile.deleted': 'Excluiu um perfil',
    'profile.reports-changed': 'Mudou os relatórios de um perfil',
    'profile.members-changed': 'Mudou os membros de um perfil',
  },
  references: ['idPerfil', 'idPerfis'],
  unique: { constraint: 'perfil_nome_unico', problem: 'perfil_ja_cadastrado', field: 'nomePerfil' },
  pages: { list: '/permissao-relatorio', form: '/permissao-relatorio' },
  fields: {
    nomePerfil: { label: 'Nome do perfil', control: 'text', privacy: 'none' },
    quantidadeRelatorios: { label: 'Relatórios', isDerived: true, privacy: 'none' },
    quantidadeMembros: { label: 'Membros', isDerived: true, privacy: 'none' },
  } satisfies Fields<Profile, 'idPerfil'>,
})

const tag = 'Perfis'
const { get, post, put } = callsOf({ tag, permission: profileEntity.permission })

export const profilesApi = {
  ...entityCalls(profileEntity, {
    tag,
    summaries: {
      list: 'Perfis',
      get: 'Um perfil',
      create: 'Cria um perfil',
      update: 'Renomeia um perfil',
      remove: 'Exclui um perfil; seus membros deixam de ver o que só ele liberava',
    },
    query: listQuery(['nomePerfil']),
    record: Profile,
    draft: ProfileDraft,
    update: ProfileDraft,
  }),
  listReports: get('/perfis/:id/relatorios', 'Relatórios do perfil', {
    response: { 200: z.array(ProfileReport) },
  }),
  listOfGroup: get(
    '/perfis/:id/relatorios/:idGrupoRelatorio',
    'Relatórios de um workspace, marcados os do perfil',
    { response: { 200: z.array(ReportChoice) } },
  ),
  replaceReports: put(
    '/perfis/:id/relatorios',
    'Troca de uma vez os relatórios do perfil, todos ou os de um workspace',
    {
      body: namedObject('ProfileReportSet', {
        idGrupoRelatorio: idField().optional(),
        idRelatorios: idList(20_000),
      }),
      response: { 200: z.array(ProfileReport) },
    },
  ),
  listMembers: get('/perfis/:id/membros', 'Membros do perfil', {
    query: listQuery(['nomeUsuario', 'emailUsuario']),
    response: { 200: z.array(ProfileMember) },
  }),
  listCandidates: get(
    '/perfis/:id/candidatos',
    'Pessoas para acrescentar ao perfil; a busca acha palavras do nome e do e-mail em qualquer ordem',
    {
      query: listQuery(['nomeUsuario', 'emailUsuario']),
      response: { 200: z.array(MemberCandidate) },
    },
  ),
  checkEmails: post(
    '/perfis/:id/candidatos/conferir',
    'Confere uma lista de e-mails, um resultado por linha, sem mudar nada',
    {
      body: namedObject('EmailList', {
        emails: z
          .array(z.string().trim().max(320, 'Um e-mail tem no máximo 320 caracteres.'))
          .max(MEMBERS_AT_ONCE, `No máximo ${MEMBERS_AT_ONCE} de uma vez.`),
      }),
      response: { 200: z.array(EmailCheck) },
    },
  ),
  changeMembers: put(
    '/perfis/:id/membros',
    'Acrescenta e retira membros de uma vez, e muda os prazos deles',
    {
      body: MemberChange,
      response: { 200: Profile },
    },
  ),
}
