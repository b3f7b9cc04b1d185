import { callsOf, namedObject } from '../calls/endpoint.ts'
import { Email, MISSING, PasswordDraft, requiredLine } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { personName, updatedPersonName } from './person-name.ts'
import { CurrentUser } from './sessions.ts'

/** The body of the public sign-up form. */
export const SignUp = namedObject('SignUp', { nome: personName, email: Email, password: PasswordDraft })
export type SignUp = z.infer<typeof SignUp>

/** The token in a link of our e-mails. The schema is loose: a bad token answers `link_invalido`. */
export const LinkToken = z.string(MISSING).min(1, MISSING).max(200)

/** What a link of an e-mail is for, and whose account: only the link's holder can ask. */
export const LinkPurpose = namedObject('LinkPurpose', {
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
export type LinkPurpose = z.infer<typeof LinkPurpose>

const accepted = z.object({ mensagem: z.string() })

const anyone = callsOf({ tag: 'Contas', permission: 'public' })

export const accountsApi = {
  signUp: anyone.post(
    '/faleconosco/',
    'Pede uma conta: um link confirma o e-mail, e um administrador aprova; a resposta não diz se o e-mail já tem uma',
    { body: SignUp, response: { 202: accepted } },
  ),
  askRecovery: anyone.post(
    '/login/recuperar-senha',
    'Pede por e-mail um link de uso único, válido por 10 minutos; a resposta é sempre a mesma',
    { body: namedObject('RecoveryRequest', { email: Email }), response: { 202: accepted } },
  ),
  inspectLink: anyone.post('/login/verificar-link', 'Diz para que serve o link de um e-mail, sem gastá-lo', {
    body: namedObject('LinkInspection', { token: LinkToken }),
    response: { 200: LinkPurpose },
  }),
  confirmEmail: anyone.post(
    '/login/confirmar-email',
    'Confirma o e-mail de um pedido de conta com o link recebido e a senha escolhida no cadastro; não abre sessão. Uma senha errada não gasta o link',
    {
      body: namedObject('EmailConfirmation', {
        token: LinkToken,
        password: z.string().max(1024).nullish().meta({
          description: 'A senha escolhida no cadastro, quando `verificar-link` responde `pedeSenha`.',
        }),
      }),
      response: { 200: accepted },
    },
  ),
  disownRequest: anyone.post(
    '/login/recusar-cadastro',
    '“Não fui eu”: descarta o pedido de conta feito com o e-mail de quem recebeu o link',
    { body: namedObject('RequestDisowned', { token: LinkToken }) },
  ),
  reset: anyone.post(
    '/login/redefinir-senha',
    'Define a senha com o link de recuperação ou de convite; encerra as sessões da pessoa',
    { body: namedObject('PasswordReset', { token: LinkToken, novaSenha: PasswordDraft }) },
  ),
  changeWithCurrent: anyone.post(
    '/login/RecoveryPassword',
    'Troca a senha de quem sabe a atual; encerra as sessões da pessoa. Quem tem segundo fator troca pela sessão: aqui recebe 401 `segundo_fator_necessario`',
    {
      body: namedObject('PasswordChangeByLogin', {
        senhaAtual: z.string(MISSING).min(1, MISSING).max(1024),
        novaSenha: PasswordDraft,
        loginUsuario: requiredLine(254),
      }),
    },
  ),
  changePassword: anyone.put(
    '/usuario/mudarsenha/:idUsuario',
    'Troca a própria senha; esta sessão continua, as outras terminam',
    {
      permission: 'session:own',
      reauthentication: 'password',
      body: namedObject('PasswordChange', {
        id: z.unknown().optional(),
        nome: z.unknown().optional(),
        email: z.unknown().optional(),
        senha: PasswordDraft,
        senhaAtual: z.string().max(1024).nullish().meta({
          description: 'Exigida quando a entrada com senha foi há mais de 10 minutos.',
        }),
      }),
    },
  ),
  updateOwn: anyone.put('/conta', 'Muda o próprio nome', {
    permission: 'account:own',
    body: namedObject('OwnAccountUpdate', { nomeUsuario: updatedPersonName }),
    response: { 200: CurrentUser },
  }),
}
