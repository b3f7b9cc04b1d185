import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Email, MISSING, PasswordDraft, requiredLine } from './fields.ts'
import { RecordId } from './ids.ts'
import { personName, updatedPersonName } from './person-name.ts'
import { CurrentUser } from './sessions.ts'

/** The body of the public sign-up form. */
export const SignUp = z
  .object({ nome: personName, email: Email, password: PasswordDraft })
  .meta({ id: 'SignUp' })
export type SignUp = z.infer<typeof SignUp>

/** The token in a link of our e-mails. The schema is loose: a bad token answers `link_invalido`. */
export const LinkToken = z.string(MISSING).min(1, MISSING).max(200)

/** What a link of an e-mail is for, and whose account: only the link's holder can ask. */
export const LinkPurpose = z
  .object({
    tipo: z.enum(['recuperacao', 'convite', 'confirmacao', 'segundo_fator']),
    nomeUsuario: z.string(),
    emailUsuario: z.string(),
    /** Whether an administrator still has to approve the account. */
    aguardaAprovacao: z.boolean(),
    /** Whether the confirmation requires the password typed at sign-up. */
    pedeSenha: z.boolean(),
    /** The identity provider that is linked to the account; null when none is. */
    provedor: z.string().nullable(),
    expiraEm: z.iso.datetime(),
  })
  .meta({ id: 'LinkPurpose' })
export type LinkPurpose = z.infer<typeof LinkPurpose>

const tag = 'Contas'
const accepted = z.object({ mensagem: z.string() })

export const accountsApi = {
  signUp: endpoint({
    method: 'POST',
    url: '/faleconosco/',
    permission: 'public',
    tag,
    summary:
      'Pede uma conta: um link confirma o e-mail, e um administrador aprova; a resposta não diz se o e-mail já tem uma',
    body: SignUp,
    response: { 202: accepted },
  }),
  askRecovery: endpoint({
    method: 'POST',
    url: '/login/recuperar-senha',
    permission: 'public',
    tag,
    summary: 'Pede por e-mail um link de uso único, válido por 10 minutos; a resposta é sempre a mesma',
    body: z.object({ email: Email }).meta({ id: 'RecoveryRequest' }),
    response: { 202: accepted },
  }),
  inspectLink: endpoint({
    method: 'POST',
    url: '/login/verificar-link',
    permission: 'public',
    tag,
    summary: 'Diz para que serve o link de um e-mail, sem gastá-lo',
    body: z.object({ token: LinkToken }).meta({ id: 'LinkInspection' }),
    response: { 200: LinkPurpose },
  }),
  confirmEmail: endpoint({
    method: 'POST',
    url: '/login/confirmar-email',
    permission: 'public',
    tag,
    summary:
      'Confirma o e-mail de um pedido de conta com o link recebido e a senha escolhida no cadastro; não abre sessão. Uma senha errada não gasta o link',
    body: z
      .object({
        token: LinkToken,
        password: z.string().max(1024).nullish().meta({
          description: 'A senha escolhida no cadastro, quando `verificar-link` responde `pedeSenha`.',
        }),
      })
      .meta({ id: 'EmailConfirmation' }),
    response: { 200: accepted },
  }),
  disownRequest: endpoint({
    method: 'POST',
    url: '/login/recusar-cadastro',
    permission: 'public',
    tag,
    summary: '“Não fui eu”: descarta o pedido de conta feito com o e-mail de quem recebeu o link',
    body: z.object({ token: LinkToken }).meta({ id: 'RequestDisowned' }),
    response: { 204: z.void() },
  }),
  reset: endpoint({
    method: 'POST',
    url: '/login/redefinir-senha',
    permission: 'public',
    tag,
    summary: 'Define a senha com o link de recuperação ou de convite; encerra as sessões da pessoa',
    body: z.object({ token: LinkToken, novaSenha: PasswordDraft }).meta({ id: 'PasswordReset' }),
    response: { 204: z.void() },
  }),
  changeWithCurrent: endpoint({
    method: 'POST',
    url: '/login/RecoveryPassword',
    permission: 'public',
    tag,
    summary:
      'Troca a senha de quem sabe a atual; encerra as sessões da pessoa. Quem tem segundo fator troca pela sessão: aqui recebe 401 `segundo_fator_necessario`',
    body: z
      .object({
        senhaAtual: z.string(MISSING).min(1, MISSING).max(1024),
        novaSenha: PasswordDraft,
        loginUsuario: requiredLine(254),
      })
      .meta({ id: 'PasswordChangeByLogin' }),
    response: { 204: z.void() },
  }),
  changePassword: endpoint({
    method: 'PUT',
    url: '/usuario/mudarsenha/:idUsuario',
    permission: 'session:own',
    tag,
    summary: 'Troca a própria senha; esta sessão continua, as outras terminam',
    params: z.object({ idUsuario: RecordId }),
    body: z
      .object({
        id: z.unknown().optional(),
        nome: z.unknown().optional(),
        email: z.unknown().optional(),
        senha: PasswordDraft,
        senhaAtual: z.string().max(1024).nullish().meta({
          description: 'Exigida quando a entrada com senha foi há mais de 10 minutos.',
        }),
      })
      .meta({ id: 'PasswordChange' }),
    response: { 204: z.void() },
  }),
  updateOwn: endpoint({
    method: 'PUT',
    url: '/conta',
    permission: 'account:own',
    tag,
    summary: 'Muda o próprio nome',
    body: z.object({ nomeUsuario: updatedPersonName }).meta({ id: 'OwnAccountUpdate' }),
    response: { 200: CurrentUser },
  }),
}
