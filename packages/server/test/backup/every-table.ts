import { randomUUID } from 'node:crypto'
import type { AllServices } from '../../src/all-services.ts'
import { storeState } from '../../src/connections/capacities/capacity-store.ts'
import { encryptWebhook } from '../../src/distribution/alerts/webhook.ts'
import { sealQueue } from '../../src/operations/audit/seal-chain.ts'
import type { Db } from '../../src/platform/db/open-database.ts'
import { addUsageEvents } from '../../src/reports/usage/usage-events.ts'
import { createKey } from '../accounts/api-keys.ts'
import { createCapacity } from '../connections/capacities.ts'
import { createAlert, createEvaluation } from '../distribution/alerts.ts'
import { createAnnouncement } from '../distribution/announcements.ts'
import { createGuest, openedVisit, sentLink } from '../distribution/guests.ts'
import { connectedScreen, createKiosk, waitingScreen } from '../distribution/kiosks.ts'
import { createRun, createSubscription } from '../distribution/subscriptions.ts'
import { createReport, createWorkspace } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'
import { fillClinicalTables } from './clinical-tables.ts'

/**
 * Inserts a row into every table, with texts that a careless parser would split, cut or escape.
 * @returns an account that can sign in, and the id of its known device
 */
export const fillEveryTable = async (
  db: Db,
  services: AllServices,
): Promise<{ email: string; device: string }> => {
  const app = { db, services }
  const { secrets } = services
  const now = new Date('2026-03-01T12:00:00.123Z')
  const odd = "Água\u2028“linha”\u2029\\ \t \u{1F600} '; drop table usuario; --"
  const user = await createUser(app, { nomeUsuario: odd, identidadeRls: '"', tipoUsuario: 'ADMIN' })
  const gone = await createUser(app)
  const { idUsuario } = user
  const { idPowerBi } = await db
    .insertInto('powerbi')
    .values({
      nome: odd,
      username: 'u',
      segredo: secrets.encrypt('senha-do-bi'),
      clienteId: idUsuario,
      provedor: 'microsoft',
      tipoCredencial: 'master_user',
      validadeSegredo: '2027-01-31',
    })
    .returning('idPowerBi')
    .executeTakeFirstOrThrow()
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio, papeisRls: ['a,b', '{"c"}', ''] })
  const { idPerfil } = await db
    .insertInto('perfil')
    .values({ nomePerfil: odd })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await db.insertInto('responsavel').values({ nomeResponsavel: 'Segundo' }).execute()
  await db.insertInto('relatorioUsuario').values({ idUsuario, idRelatorio }).execute()
  await db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
  await db.insertInto('perfilUsuario').values({ idPerfil, idUsuario }).execute()
  await db.insertInto('pagina').values({ rota: 'analise', idRelatorio }).execute()
  const imagem = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  await db.insertInto('relatorioLogo').values({ idRelatorio, imagem, marca: 'm' }).execute()
  await db
    .insertInto('sessao')
    .values({
      idSessao: crypto.randomUUID(),
      idUsuario,
      criadaEm: now,
      ultimoUso: now,
      expiraEm: new Date('2099-01-01'),
      encerradaEm: null,
      dispositivo: null,
    })
    .execute()
  await db.insertInto('falhaLogin').values({ chave: 'x', em: now }).execute()
  await db.insertInto('contagemChamadas').values({ chave: 'x', inicio: now, total: 1 }).execute()
  const device = 'dispositivo-de-teste-conhecido'
  const marca = secrets.digest(`dispositivo:${device}`)
  await db.insertInto('dispositivoConhecido').values({ idUsuario, marca, ultimoUso: now }).execute()
  await db
    .insertInto('visualizacao')
    .values({ quando: now, idUsuario, idRelatorio, carregadoMs: 1, renderizadoMs: 2 })
    .execute()
  await db.insertInto('usoPorSomar').values({ ate: 0 }).execute()
  await addUsageEvents(
    db,
    {
      idUsuario,
      idRelatorio,
      events: [
        { tipo: 'pagina', nome: odd },
        { tipo: 'erro', nome: 'x' },
      ],
    },
    now,
  )
  // Two rows sealed into the chain, and one in the queue.
  const event = { action: 'report.updated', idUsuario, subject: `relatorio:${idRelatorio}` } as const
  const details = { antes: { nome: odd, n: 1e21, vazio: null, lista: [1, 'dois'] } }
  await services.writeAudit(db, [{ ...event, details }, event])
  await sealQueue(db, secrets)
  await services.writeAudit(db, { ...event, details })
  await db
    .insertInto('linkConta')
    .values({ marca: 'm', idUsuario, tipo: 'convite', criadoEm: now, expiraEm: now })
    .execute()
  await db
    .insertInto('segundoFator')
    .values({ idUsuario: gone.idUsuario, segredo: secrets.encrypt('totp') })
    .execute()
  await db
    .insertInto('segundoFatorNovo')
    .values({ idUsuario: gone.idUsuario, segredo: secrets.encrypt('totp'), criadoEm: now })
    .execute()
  await db
    .insertInto('codigoRecuperacao')
    .values({ idUsuario: gone.idUsuario, marca: 'm', usadoEm: now })
    .execute()
  await db
    .insertInto('identidadeExterna')
    .values({ emissor: 'https://e', sujeito: 's', idUsuario, ligadaEm: now })
    .execute()
  await db
    .insertInto('agendaDados')
    .values({
      reportId: 'r',
      tabela: odd,
      origem: 'URL',
      endereco: secrets.encrypt('https://exemplo/a.csv'),
      frequencia: 'DIA',
      horario: '06:00',
      ativa: true,
      proximaEm: now,
      ultimaEm: now,
      resultado: 'FALHOU',
      frase: odd,
      resumo: 'x',
    })
    .execute()
  await db
    .insertInto('mensagem')
    .values({ conteudo: secrets.encrypt('carta'), criadaEm: now, proximaEm: now })
    .execute()
  await db
    .insertInto('notificacao')
    .values({
      idUsuario,
      tipo: 't',
      titulo: odd,
      texto: odd,
      rota: null,
      assunto: null,
      criadaEm: now,
      lidaEm: null,
    })
    .execute()
  const { idAviso } = await createAnnouncement(app, { titulo: odd, texto: odd })
  await db.insertInto('avisoPerfil').values({ idAviso, idPerfil }).execute()
  await db.insertInto('avisoPessoa').values({ idAviso, idUsuario, lidoEm: now }).execute()
  await db.insertInto('vencimentoAvisado').values({ idUsuario, idRelatorio, venceEm: now }).execute()
  await db
    .insertInto('pedidoAcesso')
    .values({
      idUsuario,
      grupoExterno: odd,
      relatorioExterno: odd,
      idRegistrado: null,
      idRelatorio,
      motivo: odd,
      situacao: 'PERFIL',
      criadoEm: now,
      respondidoEm: now,
      respondidoPor: idUsuario,
      idPerfil,
      mensagem: odd,
    })
    .execute()
  await fillSubscriptionTables(app, { idUsuario, idRelatorio, idPerfil, odd })
  await fillAlertTables(app, { idUsuario, idRelatorio, odd })
  await fillSystemTables(db, { idUsuario, idPowerBi, odd })
  await fillCapacityTables(app, { idUsuario, idPowerBi, idPerfil, odd })
  const kiosk = await createKiosk(app, [idRelatorio], { nome: odd, usuarioIdentidade: 'telao' })
  await connectedScreen(app, { idTelao: kiosk.idTelao, conectadaPor: idUsuario })
  await waitingScreen(app)
  const guest = await createGuest(app, { idRelatorio, convidadoPor: idUsuario, motivo: odd })
  await sentLink(app, guest)
  await openedVisit(app, guest)
  await createKey(app, { idUsuario }, { nome: odd })
  await fillClinicalTables(app, { idUsuario, odd })
  await fillViewerTables(db, { idUsuario, idRelatorio, odd })
  // The next id must not be that of a deleted user, because the audit names users by id.
  const last = await createUser(app)
  await db.deleteFrom('usuario').where('idUsuario', '=', last.idUsuario).execute()
  return { email: user.emailUsuario, device }
}

const fillCapacityTables = async (
  app: Pick<TestApp, 'db' | 'services'>,
  { odd, ...ids }: { idUsuario: number; idPowerBi: number; idPerfil: number; odd: string },
): Promise<void> => {
  const { idPowerBi, idUsuario, idPerfil } = ids
  const fim = new Date('2026-03-01T12:00:00.123Z')
  const { idCapacidade } = await createCapacity(app, { idPowerBi, nome: odd, feriados: ['2026-12-25'] })
  await storeState(app.db, idCapacidade, { naoPausada: odd, usadaEm: fim })
  await app.db.insertInto('capacidadePeriodo').values({ idCapacidade, inicio: fim, fim, sku: 'F2' }).execute()
  await app.db.insertInto('capacidadePessoa').values({ idCapacidade, idUsuario }).execute()
  await app.db.insertInto('capacidadePerfil').values({ idCapacidade, idPerfil }).execute()
}

const fillSystemTables = async (
  db: Db,
  { idUsuario, idPowerBi, odd }: { idUsuario: number; idPowerBi: number; odd: string },
): Promise<void> => {
  const em = new Date('2026-03-01T12:00:00.123Z')
  const failure = { codigo: 'EENVELOPE 550', motivo: 'endereco', em } as const
  await db.insertInto('correio').values({ entregueEm: em, falhandoDesde: em }).execute()
  await db
    .insertInto('falhaEmail')
    .values({ idMensagem: 1, modelo: 'convite', desfecho: 'desistiu', ...failure })
    .execute()
  await db
    .insertInto('emailNaoEntregue')
    .values({ idUsuario, email: odd, ...failure })
    .execute()
  await db
    .insertInto('testeConexao')
    .values({ idPowerBi, versao: 1, em, resultado: 'falha', detalhe: odd })
    .execute()
  await db
    .insertInto('leituraSegredo')
    .values({ idPowerBi, versao: 1, proximaEm: em, resultado: 'lida', venceEm: em })
    .execute()
  await db
    .insertInto('leituraAtualizacoes')
    .values({ idPowerBi, idConjunto: odd, lidaEm: em, falhasAte: em })
    .execute()
  await db.insertInto('avisoSistema').values({ causa: odd, ocorrencia: odd, em }).execute()
  await db
    .insertInto('copiaSeguranca')
    .values({
      previstaEm: em,
      iniciadaEm: em,
      ativaEm: em,
      terminadaEm: em,
      resultado: 'boa',
      destino: '/copias',
      arquivo: 'bi-manager-1f0c3a9e-20260301T120000Z.tar.age',
      bytes: 2 ** 33,
      sha256: 'a'.repeat(64),
      verificada: true,
      erro: null,
      aviso: odd,
    })
    .execute()
}

const fillViewerTables = async (
  db: Db,
  { odd, ...ids }: { idUsuario: number; idRelatorio: number; odd: string },
): Promise<void> => {
  const now = new Date('2026-03-01T12:00:00.123Z')
  await db
    .insertInto('favorito')
    .values({ ...ids, posicao: 1 })
    .execute()
  await db.insertInto('relatorioAtualizador').values(ids).execute()
  await db
    .insertInto('conjuntoRelatorio')
    .values({
      idRelatorio: ids.idRelatorio,
      reportId: odd,
      idGrupoConjunto: odd,
      idConjunto: odd,
      lidoEm: now,
    })
    .execute()
  const filtros = JSON.stringify({ operadora: 'CNU', sexo: '', titularidade: '' })
  await db
    .insertInto('visaoSalva')
    .values({ ...ids, nome: odd, padrao: true, pagina: 'p1', filtros, marcador: 'a"b' })
    .execute()
  const { idComentario } = await db
    .insertInto('comentario')
    .values({ ...ids, texto: odd, filtros, criadoEm: now })
    .returning('idComentario')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('comentario')
    .values({ ...ids, texto: odd, idConversa: idComentario, criadoEm: now })
    .execute()
  await db
    .insertInto('exportacao')
    .values({
      ...ids,
      idExportacao: randomUUID(),
      formato: 'PDF',
      externo: 'x',
      alcance: 'm',
      pedidaEm: now,
      encerradaEm: null,
    })
    .execute()
}

const fillSubscriptionTables = async (
  { db, services }: Pick<TestApp, 'db'> & { services: AllServices },
  {
    idUsuario,
    idRelatorio,
    idPerfil,
    odd,
  }: { idUsuario: number; idRelatorio: number; idPerfil: number; odd: string },
): Promise<void> => {
  const em = new Date('2026-03-01T12:00:00.123Z')
  const { idAssinatura } = await createSubscription(
    { db },
    { idRelatorio, idDono: idUsuario, assunto: odd, nota: odd, parametros: ['a=,"'] },
  )
  await db.insertInto('assinaturaPerfil').values({ idAssinatura, idPerfil }).execute()
  await db.insertInto('assinaturaSaida').values({ idAssinatura, idUsuario, em }).execute()
  const { idExecucao } = await createRun({ db }, { idAssinatura, frase: odd }, [idUsuario])
  await db
    .insertInto('senhaPdf')
    .values({ idUsuario, senha: services.secrets.encrypt('senha de pdf'), definidaEm: em })
    .execute()
  const chave = services.secrets.encrypt('chave')
  await db
    .insertInto('assinaturaArquivo')
    .values({ idExecucao, alcance: 'x', estado: 'PRONTO', arquivo: randomUUID(), chave, tentarEm: em })
    .execute()
}

const fillAlertTables = async (
  { db, services }: Pick<TestApp, 'db'> & { services: AllServices },
  { idUsuario, idRelatorio, odd }: { idUsuario: number; idRelatorio: number; odd: string },
): Promise<void> => {
  const em = new Date('2026-03-01T12:00:00.123Z')
  const webhook = encryptWebhook(services.secrets, {
    endereco: 'https://exemplo.com.br/a',
    segredo: 'whsec_eA==',
  })
  const { idAlerta } = await createAlert(
    { db },
    {
      idRelatorio,
      idDono: idUsuario,
      nomeAlerta: odd,
      chaveLinha: JSON.stringify({ [odd]: odd }),
      webhook,
      limite: 0.1,
      valor: 1e300,
      valorEm: em,
    },
  )
  const { idAvaliacao } = await createEvaluation({ db }, { idAlerta, frase: odd, valor: -0.3 })
  await db.insertInto('alertaEnvio').values({ idAvaliacao, canal: 'WEBHOOK', motivo: odd, em }).execute()
}
