import { accountProblems } from './account-problems.ts'
import { connectionProblems } from './connection-problems.ts'
import { distributionProblems } from './distribution-problems.ts'
import { publishingProblems } from './publishing-problems.ts'
import { reportProblems } from './report-problems.ts'
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
  sem_permissao: { status: 403, title: 'Sem permissão', detail: 'Você não tem permissão para fazer isto.' },
  nao_encontrado: {
    status: 404,
    title: 'Não encontrado',
    detail: 'O que você procura não existe ou foi removido.',
  },
  registro_em_uso: {
    status: 409,
    title: 'Registro em uso',
    detail: 'Outros cadastros dependem deste registro. Exclua-os primeiro.',
  },
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
  beneficiario_ja_cadastrado: {
    status: 409,
    title: 'Beneficiário já cadastrado',
    detail: 'Já existe um beneficiário com este ID.',
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
  muitas_tentativas: {
    status: 429,
    title: 'Muitas tentativas',
    detail: 'Muitas tentativas em pouco tempo. Aguarde alguns minutos e tente novamente.',
  },
  erro_interno: {
    status: 500,
    title: 'Erro interno',
    detail: 'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.',
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
  ...accountProblems,
  ...connectionProblems,
  ...distributionProblems,
  ...publishingProblems,
  ...reportProblems,
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
