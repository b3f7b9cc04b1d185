export interface CaseAnswer {
  /** Heading, type, and how it is shown. */
  columns: string[]
  first?: (string | null)[]
  rows?: number
  remarks?: RegExp
}

const negatives = {
  columns: ['Conta text', 'Saldo number'],
  first: ['A', '-1234.56'],
  rows: 4,
  remarks: /coluna Saldo: 2 valores entre parênteses ou com o sinal no fim/,
}

/** The right answers to the CSV of public bug reports. */
export const csvAnswers: Record<string, CaseAnswer> = {
  '01-ponto-decimal-em-outra-coluna.csv': {
    columns: ['Data date', 'Maternidade text', 'Custo number', 'Peso number'],
    first: ['2026-01-05', 'Sul', '1234.56', '3.25'],
    rows: 3,
  },
  '03-contabil.csv': {
    columns: ['Unidade text', 'Despesa number money'],
    first: ['Centro', '1234.56'],
    rows: 6,
    remarks: /coluna Despesa: 1 valor com um traço \("R\$ -"\) é zero, na linha 3$/,
  },
  '04-parenteses.csv': negatives,
  '05-menos-no-fim.csv': negatives,
  '07-chave-nfe.csv': {
    columns: ['Nota integer', 'Chave de acesso text', 'Valor number'],
    first: ['1', '35260111222333000181550010000012311234567890', '100.5'],
    rows: 4,
  },
  '08-carteira-18.csv': {
    columns: ['Carteira text', 'Plano text', 'Valor number'],
    first: ['900719925474099301', 'A', '1.5'],
    rows: 6,
  },
  '12-texto-unicode.txt': { columns: ['Unidade text', 'Valor number'], first: ['Maringá', '1.5'], rows: 1 },
  '13-windows-1252.csv': {
    columns: ['Unidade text', 'Descrição text', 'Valor number money'],
    first: ['Maringá', 'consulta – retorno', '1234.5'],
    rows: 2,
  },
  '14-com-bom.csv': { columns: ['Data date', 'Valor number'], first: ['2026-01-05', '1.5'], rows: 2 },
  '15-separador-no-fim.csv': {
    columns: ['Data date', 'Estação text', 'Chuva number'],
    first: ['2026-01-05', 'A801', '1.2'],
    rows: 2,
  },
  '17-tabnet.csv': {
    columns: ['Região text', '2026/Jan integer', '2026/Fev integer', '2026/Mar integer', 'Total integer'],
    first: ['1 Norte', '100', '120', null, '220'],
    rows: 3,
    remarks: /o cabeçalho é a linha 4; .*as linhas 9 a 11, .* são notas .*a linha 7 parece um total/s,
  },
  '18-traco-sem-dado.csv': {
    columns: ['Município text', '2024 number', '2025 number'],
    first: ['Cidade 0', '1200.0', '0.5'],
    rows: 12,
    remarks:
      /1 valor sem dado \("-"\) ficou vazio, na linha 5\n.*1 valor sem dado \("\.\.\."\) .*, na linha 7/,
  },
  '19-linha-de-total.csv': {
    columns: ['Unidade text', 'Valor number'],
    first: ['Centro', '100.0'],
    rows: 4,
    remarks: /a linha 5 parece um total: as somas a contam de novo$/,
  },
  '20-virgula-no-cabecalho.csv': {
    columns: ['Receita (bruta, líquida, ajustada) number', 'Ano integer'],
    first: ['1200.5', '2025'],
    rows: 2,
  },
  '21-aspas-e-quebras.csv': { columns: ['Item text', 'Nota text', 'Qtd integer'], rows: 3 },
  '22-polegada.csv': { columns: ['Item text', 'Qtd integer'], first: ['Monitor 24"', '1'], rows: 2 },
  '23-quebra-no-cabecalho.csv': {
    columns: ['Unidade text', 'Valor pago number'],
    first: ['Centro', '1.5'],
    rows: 2,
  },
  '25-data-impossivel.csv': {
    columns: ['Admissão text', 'Q integer'],
    first: ['05/03/2026', '1'],
    rows: 6,
    remarks: /a coluna Admissão fica como texto: na linha 3, "31\/02\/2026" não é uma data$/,
  },
  '26-cabecalhos-iguais.csv': {
    columns: ['Valor number', 'Qtd integer', 'valor 2 integer'],
    first: ['1.5', '2', '3'],
    rows: 2,
    remarks: /o cabeçalho repete nomes, que aqui levam um número: a coluna 3 é valor 2$/,
  },
  '28-so-cr.csv': { columns: ['Unidade text', 'Valor number'], first: ['Centro', '1.5'], rows: 3 },
  '24-datas.csv': {
    columns: [
      'Admissão date',
      'Curta text',
      'Traço text',
      'Ponto text',
      'Competência integer',
      'Mês text',
      'Hora text',
    ],
    first: ['2026-03-05', '05/03/26', '05-03-2026', '05.03.2026', '202603', '03/2026', '05/03/2026 24:00'],
    rows: 3,
    remarks: /coluna Curta fica como texto.*coluna Traço fica como texto.*coluna Ponto fica como texto/s,
  },
  '29-ans-operadoras.csv': {
    columns: [
      'Registro_ANS integer',
      'CNPJ integer',
      'Razao_Social text',
      'Modalidade text',
      'Cidade text',
      'UF text',
      'CEP integer',
      'DDD integer',
      'Telefone integer',
      'Regiao_de_Comercializacao integer',
      'Data_Registro_ANS date',
    ],
    rows: 30,
  },
  '30-ans-contabil.csv': {
    columns: [
      'DATA date',
      'REG_ANS integer',
      'CD_CONTA_CONTABIL integer',
      'DESCRICAO text',
      'VL_SALDO_INICIAL number',
      'VL_SALDO_FINAL number',
    ],
    first: ['2025-01-01', '300001', '41111', 'Eventos / Sinistros 0', '0.1', '0.2'],
    rows: 12,
  },
  '31-ans-beneficiarios.csv': {
    columns: [
      '#ID_CMPT_MOVEL text',
      'CD_OPERADORA integer',
      'NM_RAZAO_SOCIAL text',
      'SG_UF text',
      'CD_MUNICIPIO integer',
      'TP_SEXO text',
      'DE_FAIXA_ETARIA text',
      'QT_BENEFICIARIO_ATIVO integer',
      'DT_CARGA date',
    ],
    first: ['2025-06', '300001', 'FICTÍCIA 0', 'PR', '410690', 'M', '00 a 05', '1', '2025-09-20'],
    rows: 40,
  },
  '32-ans-cmpt-antigo.csv': {
    columns: ['ID_CMPT_MOVEL integer', 'CD_OPERADORA integer', 'SG_UF text', 'QT_BENEFICIARIO_ATIVO integer'],
    first: ['202506', '300001', 'PR', '1'],
    rows: 40,
  },
  '34-sim-nao.csv': {
    columns: ['Ativo boolean', 'Óbito boolean', 'Qtd integer'],
    first: ['true', 'true', '1'],
    rows: 3,
    remarks: /coluna Óbito: 3 valores de uma letra \("S"\) são sim \(S\) ou não \(N\)/,
  },
  '35-erros-em-portugues.csv': {
    columns: ['Taxa number', 'Unidade text'],
    first: ['1.5', 'A'],
    rows: 5,
    remarks: /coluna Taxa: 2 valores sem dado \("#N\/D"\) ficaram vazios, o primeiro na linha 3$/,
  },
}
