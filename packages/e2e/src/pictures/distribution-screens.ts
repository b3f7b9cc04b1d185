import {
  type AccessRequestAnswer,
  type Audience,
  accessRequestsApi,
  announcementsApi,
  apiKeysApi,
  guestsApi,
  type OwnAccessRequest,
  profilesApi,
} from '@bi-manager/contract'
import type { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'
import { press, type Screen } from './screen.ts'

type Client = Awaited<ReturnType<typeof signedInClient>>
type Reports = ReturnType<typeof reportsOf>

const dayMs = 86_400_000

/** The e-mail of a guest of the shown report. */
export const GUEST = 'auditora@externo.com.br'

/**
 * Makes guests, announcements, requests for access and API keys with long texts: an empty list
 * shows no table.
 * @param shown the report of the guests
 * @param hidden reports that Ana may not see
 */
export const makeDistribution = async (
  { call }: Client,
  ana: Client,
  shown: Reports[number],
  hidden: Reports,
): Promise<void> => {
  const now = Date.now()
  const ultimoDia = new Date(now + 10 * dayMs).toISOString().slice(0, 10)
  await call(guestsApi.updateSettings, { body: { ligado: true, diasMaximos: 60, dominios: [], redes: [] } })
  for (const emailConvidado of [GUEST, `${'consultoria.atuarial'.repeat(3)}@exemplo.com.br`])
    await call(guestsApi.create, {
      body: {
        emailConvidado,
        idRelatorio: shown.idRelatorio,
        ultimoDia,
        motivo: 'Auditoria anual dos contratos com os prestadores da rede credenciada.',
        usuarioIdentidade: people.helena.email,
        identidadeRls: 'CNU',
      },
    })
  const announce = (titulo: string, firstDay: number, publico: Audience) =>
    call(announcementsApi.create, {
      body: {
        titulo,
        publico,
        texto: 'Veja **o que mudou** em [notas](https://exemplo.com.br/notas-da-versao-de-setembro).',
        inicio: new Date(now + firstDay * dayMs).toISOString(),
        fim: new Date(now + (firstDay + 7) * dayMs).toISOString(),
        // A banner would be on every other screen.
        forma: 'SINO',
        manutencao: false,
      },
    })
  await announce('Os números de setembro foram corrigidos nos relatórios das operadoras', -1, 'TODOS')
  await announce('Nova forma de cadastro', 2, 'ADMINISTRADORES')
  await askForReports({ call }, ana, hidden)
  await call(apiKeysApi.updateSettings, { body: { pessoas: true, mcp: true } })
  await call(apiKeysApi.create, {
    body: {
      nome: 'Coleta noturna da auditoria para o repositório central de registros da empresa',
      grupos: ['RELATORIOS', 'DADOS', 'PUBLICAR', 'ATUALIZAR', 'AUDITORIA', 'USUARIOS'],
      dias: 6,
      redes: ['192.0.2.0/24', '2001:db8:85a3:8d3::/64'],
    },
  })
}

/** Ana asks for three reports: one is granted with a profile, one is refused, one waits. */
const askForReports = async ({ call }: Pick<Client, 'call'>, ana: Client, hidden: Reports) => {
  const [granted, refused, open] = hidden
  if (!granted || !refused || !open) throw new Error('The demo has fewer than three reports hidden from Ana.')
  const ask = ({ groupId, reportId }: Reports[number]) =>
    ana.call(accessRequestsApi.create, {
      body: { groupId, reportId, motivo: 'Fecho o mês com os números deste relatório. '.repeat(8) },
    })
  const answer = ({ idPedido }: OwnAccessRequest, body: AccessRequestAnswer) =>
    call(accessRequestsApi.answer, { params: { id: idPedido }, body })
  const { idPerfil } = await call(profilesApi.create, { body: { nomePerfil: 'Diretoria de operações' } })
  await call(profilesApi.replaceReports, {
    params: { id: idPerfil },
    body: { idRelatorios: [granted.idRelatorio] },
  })
  await answer(await ask(granted), { decisao: 'PERFIL', idPerfil, mensagem: null })
  const mensagem = 'Use o relatório da sua operadora, que tem os mesmos números.'
  await answer(await ask(refused), { decisao: 'RECUSADO', mensagem })
  await ask(open)
}

/** Screens of what `makeDistribution` made. */
export const distributionScreens: Screen[] = [
  { name: 'guests', path: '/convidados' },
  { name: 'guest-form', path: '/convidar' },
  {
    name: 'guest-again',
    path: '/convidados',
    act: async (page) => {
      await press(page, /^Enviar o convite de novo/)
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
  { name: 'announcements', path: '/avisos' },
  { name: 'announcement-form', path: '/cadastrar-aviso' },
  { name: 'access-requests', path: '/pedidos-acesso' },
  {
    name: 'access-request-answer',
    path: '/pedidos-acesso?situacao=ABERTO',
    act: async (page) => {
      await press(page, /^Responder a /)
      await page.getByRole('dialog', { name: 'Responder ao pedido' }).waitFor()
    },
  },
  { name: 'own-requests', path: '/meus-pedidos-acesso' },
  { name: 'api-keys', path: '/chaves-de-api' },
  { name: 'own-api-keys', path: '/chaves' },
  {
    name: 'own-api-key-form',
    path: '/chaves',
    act: async (page) => {
      await press(page, 'Criar chave')
      await page.getByLabel('Validade').waitFor()
    },
  },
]
