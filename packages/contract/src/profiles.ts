import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { entity, type Fields } from './entity.ts'
import { idField, idList, requiredLine } from './fields.ts'
import { Grant, ReportChoice } from './grants.ts'
import { RecordId } from './ids.ts'
import { listQuery } from './lists.ts'
import { recordCalls } from './record-calls.ts'

/** A named set of reports ('Perfil'), which its members see in addition to their own grants. */
export const Profile = z
  .object({
    idPerfil: z.number().int(),
    nomePerfil: z.string(),
    quantidadeRelatorios: z.number().int(),
    quantidadeMembros: z.number().int(),
    versao: z.number().int(),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof Profile>

export const ProfileDraft = z.object({ nomePerfil: requiredLine(80) }).meta({ id: 'ProfileDraft' })

export const ProfileReport = Grant.omit({ idUsuario: true }).meta({ id: 'ProfileReport' })
export type ProfileReport = z.infer<typeof ProfileReport>

export const ProfileMember = z
  .object({ idUsuario: z.number().int(), nomeUsuario: z.string(), emailUsuario: z.string() })
  .meta({ id: 'ProfileMember' })
export type ProfileMember = z.infer<typeof ProfileMember>

/** Members to add and remove in one transaction; changes without effect are allowed. */
export const MemberChange = z
  .object({ adicionar: idList(1_000).default([]), remover: idList(1_000).default([]) })
  .meta({ id: 'MemberChange' })

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
const { permission } = profileEntity
const params = z.object({ id: RecordId })

export const profilesApi = {
  ...recordCalls(profileEntity, {
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
  listReports: endpoint({
    method: 'GET',
    url: '/perfis/:id/relatorios',
    permission,
    tag,
    summary: 'Relatórios do perfil',
    params,
    response: { 200: z.array(ProfileReport) },
  }),
  listOfGroup: endpoint({
    method: 'GET',
    url: '/perfis/:id/relatorios/:idGrupoRelatorio',
    permission,
    tag,
    summary: 'Relatórios de um workspace, marcados os do perfil',
    params: z.object({ id: RecordId, idGrupoRelatorio: RecordId }),
    response: { 200: z.array(ReportChoice) },
  }),
  replaceReports: endpoint({
    method: 'PUT',
    url: '/perfis/:id/relatorios',
    permission,
    tag,
    summary: 'Troca de uma vez os relatórios do perfil, todos ou os de um workspace',
    params,
    body: z
      .object({ idGrupoRelatorio: idField().optional(), idRelatorios: idList(20_000) })
      .meta({ id: 'ProfileReportSet' }),
    response: { 200: z.array(ProfileReport) },
  }),
  listMembers: endpoint({
    method: 'GET',
    url: '/perfis/:id/membros',
    permission,
    tag,
    summary: 'Membros do perfil',
    params,
    query: listQuery(['nomeUsuario', 'emailUsuario']),
    response: { 200: z.array(ProfileMember) },
  }),
  changeMembers: endpoint({
    method: 'PUT',
    url: '/perfis/:id/membros',
    permission,
    tag,
    summary: 'Acrescenta e retira membros de uma vez',
    params,
    body: MemberChange,
    response: { 200: Profile },
  }),
}
