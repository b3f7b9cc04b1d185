import { apiKeyProblems } from './api-key-problems.ts'
import { biProblems } from './bi-problems.ts'
import { capacityProblems } from './capacity-problems.ts'
import { kioskProblems } from './kiosk-problems.ts'
import { publishingProblems } from './publishing-problems.ts'
import { subscriptionProblems } from './subscription-problems.ts'
import { z } from './zod.ts'

// zod's own messages are shown to people: Portuguese on the server and in the web app.
z.config(z.locales.ptBR())

interface ProblemEntry {
  status: number
  title: string
  /** A Portuguese sentence for the screen. */
  detail: string
}

/** Every error of the API: `codigo` → status and Portuguese texts. */
export const problems = {
  requisicao_invalida: {
    status: 400,
    title: 'Requisição inválida',
    detail: 'A requisição não pôde ser lida. Confira o formato e tente novamente.',
  },
  finalidade_obrigatoria: {
    status: 400,
    title: 'Falta a finalidade',
    detail: 'Informe a finalidade do acesso para ver estes dados.',
  },
  link_invalido: {
    status: 400,
    title: 'Link inválido',
    detail: 'Este link não vale mais: já foi usado, venceu ou foi trocado por outro. Peça um novo.',
  },
  sessao_ausente: {
    status: 401,
    title: 'Sessão ausente',
    detail: 'Entre com seu usuário e senha para continuar.',
  },
  sessao_encerrada: {
    status: 401,
    title: 'Sessão encerrada',
    detail: 'Sua sessão terminou. Entre novamente para continuar.',
  },
  credenciais_invalidas: {
    status: 401,
    title: 'Usuário ou senha incorretos',
    detail: 'Atenção! Usuário ou senha, incorretos, tente novamente.',
  },
  segundo_fator_necessario: {
    status: 401,
    title: 'Código necessário',
    detail: 'Informe o código do seu aplicativo autenticador, ou um código de recuperação.',
  },
  codigo_invalido: {
    status: 401,
    title: 'Código inválido',
    detail: 'Este código não confere ou já foi usado. Aguarde o próximo e tente novamente.',
  },
  entrada_recusada: {
    status: 401,
    title: 'Entrada recusada',
    detail: 'O provedor de identidade não confirmou a sua entrada. Tente novamente.',
  },
  conta_pendente: {
    status: 403,
    title: 'Conta aguardando aprovação',
    detail: 'Sua conta aguarda a aprovação de um administrador.',
  },
  conta_vencida: {
    status: 403,
    title: 'Conta vencida',
    detail: 'O prazo da sua conta terminou. Procure um administrador.',
  },
  conta_bloqueada: {
    status: 403,
    title: 'Conta bloqueada',
    detail: 'Sua conta está bloqueada. Procure um administrador.',
  },
  conta_nao_ligada: {
    status: 403,
    title: 'Conta não ligada',
    detail: 'A conta com o seu e-mail não pode ser ligada a esta entrada. Procure um administrador.',
  },
  senha_desativada: {
    status: 403,
    title: 'Entrada com senha desativada',
    detail: 'Nesta instalação a entrada é feita pelo provedor de identidade da empresa.',
  },
  segundo_fator_obrigatorio: {
    status: 403,
    title: 'Segundo fator obrigatório',
    detail: 'Configure o segundo fator de autenticação para continuar.',
  },
  troca_de_senha_obrigatoria: {
    status: 403,
    title: 'Troca de senha obrigatória',
    detail: 'A sua senha foi gerada na instalação. Escolha outra para continuar.',
  },
  sem_permissao: { status: 403, title: 'Sem permissão', detail: 'Você não tem permissão para fazer isto.' },
  identidade_divergente: {
    status: 403,
    title: 'Identidade divergente',
    detail: 'A requisição informa uma identidade diferente da sessão.',
  },
  reautenticacao_necessaria: {
    status: 403,
    title: 'Entre novamente',
    detail: 'Faz mais de 10 minutos que você entrou. Informe também a sua senha atual.',
  },
  rede_nao_permitida: {
    status: 403,
    title: 'Rede não permitida',
    detail:
      'Sua conta só pode ser usada nas redes que a empresa permite. Conecte-se à rede da empresa ou à VPN e tente de novo; se já está nela, fale com um administrador.',
  },
  relatorio_sem_permissao: {
    status: 403,
    title: 'Relatório sem permissão',
    detail: 'Este relatório não está liberado para você. Peça acesso a um administrador.',
  },
  acesso_ja_liberado: {
    status: 409,
    title: 'Acesso já liberado',
    detail: 'Este relatório já está liberado para você.',
  },
  muitos_pedidos_acesso: {
    status: 429,
    title: 'Muitos pedidos de acesso',
    detail:
      'Você já enviou 10 pedidos nas últimas 24 horas. Espere até amanhã, ou fale com um administrador.',
  },
  pedido_ja_respondido: {
    status: 409,
    title: 'Pedido já respondido',
    detail: 'Outra pessoa já respondeu a este pedido.',
  },
  relatorio_do_pedido_ausente: {
    status: 409,
    title: 'Relatório inexistente',
    detail: 'O endereço deste pedido não leva a nenhum relatório. Você só pode recusá-lo.',
  },
  identidade_nao_confirmada: {
    status: 403,
    title: 'E-mail não confirmado',
    detail:
      'Este relatório mostra linhas conforme o seu e-mail, que ainda não foi confirmado. Confirme-o com “Recuperar senha”, na tela de entrada, ou peça um convite a um administrador.',
  },
  nao_encontrado: {
    status: 404,
    title: 'Não encontrado',
    detail: 'O que você procura não existe ou foi removido.',
  },
  exportacao_inexistente: {
    status: 404,
    title: 'Exportação inexistente',
    detail: 'Esta exportação não existe mais. Peça-a de novo.',
  },
  registro_em_uso: {
    status: 409,
    title: 'Registro em uso',
    detail: 'Outros cadastros dependem deste registro. Exclua-os primeiro.',
  },
  email_em_uso: { status: 409, title: 'E-mail em uso', detail: 'Já existe um usuário com este e-mail.' },
  workspace_ja_cadastrado: {
    status: 409,
    title: 'Workspace já cadastrado',
    detail: 'Este grupo já está cadastrado como workspace neste Power Bi.',
  },
  responsavel_ja_cadastrado: {
    status: 409,
    title: 'Responsável já cadastrado',
    detail: 'Já existe um responsável com este nome.',
  },
  perfil_ja_cadastrado: {
    status: 409,
    title: 'Perfil já cadastrado',
    detail: 'Já existe um perfil com este nome.',
  },
  visao_ja_cadastrada: {
    status: 409,
    title: 'Visão já salva',
    detail: 'Você já tem uma visão deste relatório com este nome.',
  },
  visoes_demais: {
    status: 409,
    title: 'Visões demais',
    detail: 'Você já tem 50 visões deste relatório. Exclua uma para salvar outra.',
  },
  comentarios_desligados: {
    status: 403,
    title: 'Comentários desligados',
    detail: 'Os comentários deste relatório foram desligados pelo administrador.',
  },
  comentario_excluido: {
    status: 409,
    title: 'Comentário excluído',
    detail: 'Este comentário foi excluído e não pode mais ser mudado.',
  },
  respostas_demais: {
    status: 409,
    title: 'Conversa longa demais',
    detail: 'Esta conversa já tem 200 respostas. Comece outra.',
  },
  comentarios_demais: {
    status: 429,
    title: 'Comentários demais',
    detail: 'Você escreveu muitos comentários em pouco tempo. Aguarde alguns minutos.',
  },
  favoritos_demais: {
    status: 409,
    title: 'Favoritos demais',
    detail: 'Você já tem 100 favoritos. Tire um para incluir outro.',
  },
  visualizacao_sem_abertura: {
    status: 409,
    title: 'Visualização sem abertura',
    detail: 'Não há abertura recente deste relatório a que estes tempos possam pertencer.',
  },
  ver_como_indisponivel: {
    status: 409,
    title: 'Não é possível ver como esta pessoa',
    detail: 'Esta pessoa não consegue abrir este relatório.',
  },
  atualizacao_em_andamento: {
    status: 409,
    title: 'Atualização em andamento',
    detail: 'Estes dados já estão sendo atualizados. Aguarde o fim.',
  },
  exportacao_sem_formato: {
    status: 409,
    title: 'Formato indisponível',
    detail: 'Este relatório não pode ser exportado neste formato. Atualize a página e escolha outro.',
  },
  paginado_com_filtro: {
    status: 409,
    title: 'Relatório com filtro',
    detail:
      'Este relatório é paginado, e o filtro cadastrado não vale para ele. Peça a um administrador que o retire.',
  },
  exportacao_vazia: {
    status: 409,
    title: 'Nada para exportar',
    detail: 'Com os filtros escolhidos, este relatório não tem linhas. Mude a escolha e exporte de novo.',
  },
  exportacao_nao_pronta: {
    status: 409,
    title: 'Exportação não pronta',
    detail: 'O arquivo ainda não está pronto.',
  },
  ponto_sem_beneficiarios: {
    status: 409,
    title: 'Sem beneficiários para listar',
    detail: 'Este ponto não dá mais uma lista de beneficiários. Recarregue o relatório e tente de novo.',
  },
  beneficiario_ja_cadastrado: {
    status: 409,
    title: 'Beneficiário já cadastrado',
    detail: 'Já existe um beneficiário com este ID.',
  },
  ultimo_administrador: {
    status: 409,
    title: 'Último administrador',
    detail: 'Este é o único administrador ativo. Torne outra pessoa administradora primeiro.',
  },
  propria_conta: {
    status: 409,
    title: 'Própria conta',
    detail: 'Você não pode excluir a sua própria conta. Peça a outro administrador.',
  },
  conta_nao_pendente: {
    status: 409,
    title: 'Conta já decidida',
    detail: 'Esta conta não aguarda mais aprovação.',
  },
  email_nao_confirmado: {
    status: 409,
    title: 'E-mail não confirmado',
    detail:
      'Nada mostra que este e-mail é de quem pediu a conta. Envie um convite: a senha digitada no cadastro sai, e a pessoa define outra pelo link.',
  },
  email_ja_confirmado: {
    status: 409,
    title: 'E-mail já confirmado',
    detail: 'O e-mail desta conta já está confirmado. Atualize a lista e decida de novo.',
  },
  segundo_fator_exigido: {
    status: 409,
    title: 'Segundo fator exigido',
    detail: 'As regras desta instalação exigem o segundo fator de você: ele não pode ser desativado.',
  },
  segundo_fator_ausente: {
    status: 409,
    title: 'Segundo fator ausente',
    detail: 'Esta conta não tem segundo fator ativo.',
  },
  segundo_fator_ativo: {
    status: 409,
    title: 'Segundo fator já ativo',
    detail: 'Esta conta já tem segundo fator. Para trocar de aparelho, comece com um código do atual.',
  },
  identidade_ausente: {
    status: 409,
    title: 'Conta não ligada ao provedor',
    detail: 'Esta conta não está ligada ao provedor de identidade.',
  },
  arquivo_recusado: {
    status: 415,
    title: 'Arquivo recusado',
    detail: 'Envie uma imagem PNG, JPEG ou WebP, ou um PDF.',
  },
  arquivo_grande_demais: {
    status: 413,
    title: 'Arquivo grande demais',
    detail: 'O arquivo pode ter no máximo 10 MB.',
  },
  ...publishingProblems,
  ambiente_de_ensaio: {
    status: 409,
    title: 'Ambiente de ensaio',
    detail:
      'Este ambiente é um ensaio de restauração e conhece as credenciais da produção: daqui, isto mudaria a produção. Um administrador pode liberar o ambiente na faixa do alto da página.',
  },
  arquivo_ausente: {
    status: 404,
    title: 'Sem arquivo',
    detail: 'Este anexo não tem arquivo.',
  },
  importacao_com_falhas: {
    status: 422,
    title: 'Importação com falhas',
    detail: 'O arquivo tem linhas com falhas. Nada foi gravado.',
  },
  versao_antiga: {
    status: 412,
    title: 'Registro alterado por outra pessoa',
    detail: 'Este cadastro foi alterado depois que você o abriu.',
  },
  tempo_esgotado: {
    status: 408,
    title: 'Tempo esgotado',
    detail: 'A requisição demorou demais para chegar. Tente novamente.',
  },
  corpo_grande_demais: {
    status: 413,
    title: 'Conteúdo grande demais',
    detail: 'O conteúdo enviado passa do tamanho permitido.',
  },
  formato_nao_suportado: {
    status: 415,
    title: 'Formato não suportado',
    detail: 'Envie os dados em JSON (application/json).',
  },
  campos_invalidos: {
    status: 422,
    title: 'Campos inválidos',
    detail: 'Confira os campos indicados e tente novamente.',
  },
  exportacao_recusada: {
    status: 422,
    title: 'Exportação recusada',
    detail:
      'O serviço de BI não aceitou este pedido: a página ou as seleções podem ter mudado. Atualize o relatório e exporte de novo.',
  },
  muitas_tentativas: {
    status: 429,
    title: 'Muitas tentativas',
    detail: 'Muitas tentativas em pouco tempo. Aguarde alguns minutos e tente novamente.',
  },
  atualizacoes_esgotadas: {
    status: 429,
    title: 'Limite diário de atualizações',
    detail:
      'O serviço de BI não aceita mais atualizações destes dados por enquanto: em capacidade compartilhada, o Power BI aceita 8 em 24 horas. Tente mais tarde.',
  },
  muitas_atualizacoes: {
    status: 429,
    title: 'Pedidos demais',
    detail: 'Você pediu atualizações demais na última hora. Aguarde e tente novamente.',
  },
  muitas_exportacoes: {
    status: 429,
    title: 'Exportações demais',
    detail: 'Você pediu exportações demais em pouco tempo. Aguarde e tente novamente.',
  },
  erro_interno: {
    status: 500,
    title: 'Erro interno',
    detail: 'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.',
  },
  ...biProblems,
  exportacao_nao_suportada: {
    status: 502,
    title: 'Exportação não suportada',
    detail:
      'O serviço de BI não oferece a exportação deste relatório. Use Imprimir, que também salva em PDF.',
  },
  ...capacityProblems,
  ...kioskProblems,
  ...apiKeyProblems,
  ...subscriptionProblems,
  provedor_indisponivel: {
    status: 503,
    title: 'Provedor de identidade indisponível',
    detail: 'O provedor de identidade não respondeu. Tente novamente em instantes.',
  },
  armazenamento_indisponivel: {
    status: 503,
    title: 'Armazenamento indisponível',
    detail: 'O arquivo não pôde ser guardado ou lido agora. Tente novamente em instantes.',
  },
  servico_indisponivel: {
    status: 503,
    title: 'Serviço indisponível',
    detail: 'O sistema está iniciando ou sem acesso ao banco de dados. Tente novamente em instantes.',
  },
  sem_espaco: {
    status: 507,
    title: 'Disco cheio',
    detail:
      'O disco do servidor está cheio, e nada pode ser gravado até que se libere espaço. Consultas continuam funcionando. Avise quem cuida do servidor.',
  },
} as const satisfies Record<string, ProblemEntry>

export type ProblemCode = keyof typeof problems

/** RFC 9457 body of every error answer (`application/problem+json`). */
export const ProblemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    codigo: z.string(),
    campos: z.record(z.string(), z.string()).optional(),
    idRequisicao: z.string(),
  })
  .meta({ id: 'Problem' })
export type ProblemBody = z.infer<typeof ProblemBody>
