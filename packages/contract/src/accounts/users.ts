import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields, importLineOf, importPreviewOf } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { Email, idField, idList, lastDay, nullableLine, PasswordDraft } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { personName, updatedPersonName } from './person-name.ts'
import {
  checkWholeRegistration,
  checkWholeRegistrationUpdate,
  registrationDraft,
  registrationFields,
} from './professional-registration.ts'
import { UserType } from './sessions.ts'

export const UserStatus = z.enum(['ATIVO', 'PENDENTE', 'BLOQUEADO'])
export type UserStatus = z.infer<typeof UserStatus>

const fields = {
  nomeUsuario: {
    label: 'Nome do usuário',
    csv: true,
    csvImport: 'nome',
    control: 'text',
    privacy: 'personal',
  },
  emailUsuario: { label: 'E-mail', csv: true, csvImport: 'e-mail', control: 'text', privacy: 'personal' },
  senhaUsuario: { label: 'Senha', csvImport: 'senha', control: 'secret', privacy: 'personal' },
  tipoUsuario: { label: 'Perfil', csv: true, control: 'choice', privacy: 'none' },
  situacao: { label: 'Situação', csv: true, control: 'choice', privacy: 'none' },
  idResponsavel: { label: 'Responsável', privacy: 'none' },
  emailComprovado: { label: 'E-mail confirmado', csv: true, privacy: 'none' },
  acessoProntuario: { label: 'Acesso a prontuários', csv: true, control: 'switch', privacy: 'none' },
  encarregadoDados: { label: 'Encarregado de dados (LGPD)', csv: true, control: 'switch', privacy: 'none' },
  identidadeRls: {
    label: 'Identidade de segurança',
    csv: true,
    csvImport: 'identidade de segurança',
    control: 'optionalText',
    privacy: 'personal',
  },
  validoAte: { label: 'Conta válida até', csv: true, control: 'day', privacy: 'none' },
  ultimoAcesso: { label: 'Último acesso', csv: true, isDerived: true, privacy: 'none' },
  conselhoProfissional: {
    label: 'Conselho profissional',
    csv: true,
    csvImport: 'conselho profissional',
    control: 'choice',
    privacy: 'none',
  },
  numeroRegistro: {
    label: 'Número do registro',
    csv: true,
    csvImport: 'número do registro',
    control: 'optionalText',
    privacy: 'none',
  },
  ufRegistro: {
    label: 'UF do registro',
    csv: true,
    csvImport: 'UF do registro',
    control: 'choice',
    privacy: 'none',
  },
  segundoFator: { label: 'Segundo fator', privacy: 'none' },
  provedorDesde: { label: 'Ligada ao provedor desde', isDerived: true, privacy: 'none' },
  convitePendente: { label: 'Convite pendente', isDerived: true, privacy: 'none' },
  emailFalhouEm: { label: 'E-mail não entregue em', isDerived: true, privacy: 'none' },
  emailFalhaMotivo: { label: 'Motivo da falha do e-mail', isDerived: true, privacy: 'none' },
} as const satisfies Fields<User & Pick<UserDraft, 'senhaUsuario'>, 'idUsuario'>

/** A person's account, without its password. */
export const User = namedObject('User', {
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  emailUsuario: z.string(),
  /** Whether the mailbox is proven to be theirs: by a used link, the provider, or an ADMIN. */
  emailComprovado: z.boolean(),
  tipoUsuario: UserType,
  idResponsavel: z.number().int(),
  situacao: UserStatus,
  acessoProntuario: z.boolean(),
  /** The data protection officer, who also needs `acessoProntuario` to view patient data. */
  encarregadoDados: z.boolean(),
  /** The customData of embed tokens, for reports with row-level security. */
  identidadeRls: z.string().nullable(),
  ...registrationFields,
  /** The last day (yyyy-mm-dd, America/Sao_Paulo) on which the account may be used; null: no end. */
  validoAte: z.string().nullable(),
  /** ISO instant of the last sign-in. */
  ultimoAcesso: z.iso.datetime().nullable(),
  /** Whether the account has a second factor. */
  segundoFator: z.boolean(),
  /** ISO instant at which the account was linked to the person's identity at the provider. */
  provedorDesde: z.iso.datetime().nullable(),
  /** Invited, without a password yet. */
  convitePendente: z.boolean(),
  /** ISO instant of the last failed e-mail to this address; null after the next delivery. */
  emailFalhouEm: z.iso.datetime().nullable(),
  /** Why it failed, as a Portuguese sentence. */
  emailFalhaMotivo: z.string().nullable(),
  versao: z.number().int(),
})
export type User = z.infer<typeof User>

export const InvitedUser = User.extend({
  /** Whether an earlier invitation existed, whose link is now void. */
  conviteAnterior: z.boolean(),
}).meta({ id: 'InvitedUser' })
export type InvitedUser = z.infer<typeof InvitedUser>

const newPerson = { nomeUsuario: personName, emailUsuario: Email, ...registrationDraft }

/** A new account. It is always a USER of responsible 1, whatever else the body contains. */
export const UserDraft = z
  .object({ ...newPerson, validoAte: lastDay.optional(), senhaUsuario: PasswordDraft })
  .check(checkWholeRegistration)
  .meta({ id: 'UserDraft' })
export type UserDraft = z.infer<typeof UserDraft>

export const Invitation = namedObject('Invitation', { nomeUsuario: personName, emailUsuario: Email })
export type Invitation = z.infer<typeof Invitation>

/** The initial role and profiles of an approved person. */
export const Approval = namedObject('Approval', {
  tipoUsuario: UserType.default('USER'),
  /** Profiles ('Perfis') whose reports the person may then view. */
  idPerfis: idList(100).default([]),
})

/** Fields left out and a null password stay unchanged. */
export const UserUpdate = z
  .object({
    nomeUsuario: updatedPersonName.optional(),
    emailUsuario: Email.optional(),
    senhaUsuario: PasswordDraft.nullish(),
    tipoUsuario: z
      .string()
      .regex(/^(admin|user)$/i, 'Escolha ADMIN ou USER.')
      .toUpperCase()
      .pipe(UserType)
      .optional()
      .meta({ description: 'ADMIN ou USER, em maiúsculas ou minúsculas.' }),
    idResponsavel: idField().optional(),
    situacao: UserStatus.optional(),
    acessoProntuario: z.boolean().optional(),
    encarregadoDados: z.boolean().optional(),
    identidadeRls: nullableLine(254).optional(),
    validoAte: lastDay.optional(),
    ...registrationDraft,
  })
  .check(checkWholeRegistrationUpdate)
  .meta({ id: 'UserUpdate' })
export type UserUpdate = z.infer<typeof UserUpdate>

const imported = { ...newPerson, identidadeRls: nullableLine(254).optional() }

/** A person of an imported file, with a password. */
export const ImportedUser = z
  .object({ ...imported, senhaUsuario: PasswordDraft })
  .check(checkWholeRegistration)
export type ImportedUser = z.infer<typeof ImportedUser>

/** A person of an imported file who gets an invitation, and chooses the password. */
export const ImportedInvitation = z
  .object({
    ...imported,
    senhaUsuario: z.literal('', 'Com convite, a pessoa escolhe a senha: deixe a coluna vazia.').optional(),
  })
  .check(checkWholeRegistration)
export type ImportedInvitation = z.infer<typeof ImportedInvitation>

/** Rows of one CSV file. `linha` is the line in the file, for error messages. */
export const UserImport = namedObject('UserImport', {
  /** Everyone gets an invitation by e-mail instead of a password. */
  convidar: z.boolean().default(false),
  linhas: z
    .array(
      importLineOf({ fields }, ['nomeUsuario', 'emailUsuario', 'senhaUsuario']).extend({
        /** Names of profiles, separated by '|'. */
        perfis: z.string().max(1000).optional(),
      }),
    )
    .min(1, 'O arquivo não tem nenhum usuário.')
    .max(500, 'Importe no máximo 500 usuários de uma vez.'),
})
export type UserImport = z.infer<typeof UserImport>

const UserImportPreview = importPreviewOf('UserImportPreview', {
  nomeUsuario: z.string(),
  emailUsuario: z.string(),
})

export const UserOrder = ['nomeUsuario', 'emailUsuario', 'tipoUsuario', 'situacao', 'ultimoAcesso'] as const

export const userEntity = entity({
  kind: 'usuario',
  title: 'Usuário',
  list: 'usuarios',
  listTitle: 'Lista de usuários',
  path: '/usuarios',
  permission: 'users:manage',
  table: 'usuario',
  id: 'idUsuario',
  name: 'nomeUsuario',
  hint: 'emailUsuario',
  actions: {
    'user.created': 'Cadastrou um usuário',
    'user.updated': 'Editou um usuário',
    'user.deleted': 'Excluiu um usuário',
    'user.granted-on-server': 'Recebeu acesso por comando no servidor',
    'user.imported': 'Importou um usuário',
  },
  references: ['idUsuario', 'clienteId', 'entraram', 'sairam'],
  unique: { constraint: 'usuario_email_unico', problem: 'email_em_uso', field: 'emailUsuario' },
  pages: { list: '/usuario', form: '/cadastrar-usuario' },
  menu: { title: 'Usuários', phoneTitle: 'Usuários', list: 'Buscar' },
  fields,
})

const tag = 'Usuários'
const query = listQuery(UserOrder).extend({
  situacao: UserStatus.optional(),
  tipoUsuario: UserType.optional(),
  emailComprovado: z.enum(['true', 'false']).optional(),
})

const { get, post } = callsOf({ tag, permission: userEntity.permission })

export const usersApi = {
  ...entityCalls(userEntity, {
    permissionToGet: 'users:read',
    reauthentication: {
      create: 'always',
      update: {
        if: 'digita uma senha, muda o e-mail ou a identidade de segurança, concede ADMIN ou um acesso a dados de saúde, ou a conta deixa de estar bloqueada ou vencida, ou volta a pendente',
      },
      remove: 'always',
    },
    tag,
    summaries: {
      list: 'Usuários',
      get: 'Um usuário: qualquer um para ADMIN, a própria pessoa para os demais',
      create: 'Cadastra um usuário, sempre USER',
      update: 'Edita um usuário',
      remove: 'Exclui um usuário, suas permissões e sessões',
    },
    query,
    record: User,
    draft: UserDraft,
    update: UserUpdate,
  }),
  exportCsv: get('/usuarios.csv', 'Usuários em CSV, sem senhas', {
    query: query.omit({ pagina: true, tamanho: true }),
    contentType: 'text/csv',
  }),
  invite: post(
    '/usuarios/convites',
    'Convida por e-mail: a pessoa define a senha por um link; de novo, manda outro link',
    { body: Invitation, response: { 202: InvitedUser } },
  ),
  approve: post(
    '/usuarios/:id/aprovar',
    'Aprova uma conta pendente de e-mail confirmado, e avisa a pessoa por e-mail',
    {
      reauthentication: { if: 'torna a pessoa ADMIN' },
      /** Without a body: USER, in no profile. */
      body: Approval.nullish(),
    },
  ),
  inviteMailboxOwner: post(
    '/usuarios/:id/convidar',
    'Envia um convite à conta de e-mail não confirmado: a senha digitada no cadastro sai, e a pessoa define outra pelo link',
    {
      reauthentication: { if: 'a pessoa se torna ADMIN, ou a conta estava bloqueada' },
      /** Applies to a pending account; an already approved one keeps its role and profiles. */
      body: Approval.nullish(),
      response: { 202: User },
    },
  ),
  refuse: post(
    '/usuarios/:id/recusar',
    'Recusa uma conta pendente, que é excluída, e avisa a pessoa por e-mail',
  ),
  previewImport: post(
    '/usuarios/importacao/previa',
    'Confere linha por linha o que seria importado; não grava nada',
    { body: UserImport, response: { 200: UserImportPreview } },
  ),
  import: post('/usuarios/importacao', 'Cadastra todos os usuários do arquivo, ou nenhum', {
    reauthentication: { if: 'o arquivo tem senhas ou identidades de segurança' },
    body: UserImport,
    response: { 201: z.object({ cadastrados: z.number().int() }) },
  }),
}
