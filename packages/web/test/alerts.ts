import type { Alert, AlertOptions, AlertVisuals } from '@bi-manager/contract'

/** An alert of person 1 on report 7. */
export const anAlert = (changes: Partial<Alert> = {}): Alert => ({
  idAlerta: 5,
  nomeAlerta: 'Custo da CNU',
  relatorio: {
    idRelatorio: 7,
    nomeRelatorio: 'Sinistralidade',
    idGrupo: 'aaaaaaaa-0000-4000-8000-000000000002',
    reportId: 'aaaaaaaa-0000-4000-8000-000000000001',
    endereco: 'relatorio=7&pagina=geral',
  },
  dono: { idUsuario: 1, nomeUsuario: 'Ana Martins' },
  origem: 'VISUAL',
  pagina: 'geral',
  tituloPagina: 'Visão geral',
  visual: 'tabela',
  tituloVisual: 'Custos',
  coluna: 'custo',
  rotuloColuna: 'Custo',
  linha: { operadora: 'CNU' },
  formas: { operadora: { tipo: 'text', formato: null } },
  filtros: {},
  consulta: null,
  condicao: 'ACIMA',
  limite: 1_000,
  percentual: false,
  frequencia: 'DIARIA',
  horario: '07:30',
  fuso: 'America/Sao_Paulo',
  porEmail: true,
  webhook: null,
  hostWebhook: null,
  ativo: true,
  estado: 'NORMAL',
  valor: 900,
  valorEm: '2026-11-23T10:30:00.000Z',
  formato: 'moeda',
  mostraValores: true,
  falha: null,
  impedimento: null,
  proximaEm: '2026-11-24T10:30:00.000Z',
  versao: 3,
  ...changes,
})

export const someAlertOptions = (changes: Partial<AlertOptions> = {}): AlertOptions => ({
  origem: 'VISUAL',
  impedimento: null,
  semEmail: null,
  emailSemValores: false,
  podeWebhook: false,
  ...changes,
})

/** A page with a card and a table. */
export const someVisuals = (changes: Partial<AlertVisuals> = {}): AlertVisuals => ({
  paginas: [
    { nome: 'geral', titulo: 'Visão geral' },
    { nome: 'custos', titulo: 'Custos' },
  ],
  pagina: 'geral',
  visuais: [
    {
      nome: 'cartao',
      titulo: 'Custo total',
      linhas: [[1_500]],
      cortado: false,
      colunas: [{ nome: 'total', rotulo: 'Total', tipo: 'number', formato: 'moeda', numerica: true }],
    },
    {
      nome: 'tabela',
      titulo: 'Custos',
      cortado: false,
      linhas: [
        ['CNU', 900],
        ['OUTRA', 600],
      ],
      colunas: [
        { nome: 'operadora', rotulo: 'Operadora', tipo: 'text', formato: null, numerica: false },
        { nome: 'custo', rotulo: 'Custo', tipo: 'number', formato: 'moeda', numerica: true },
      ],
    },
  ],
  ...changes,
})
