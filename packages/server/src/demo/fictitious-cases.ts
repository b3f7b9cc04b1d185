import type { RecordContent } from '../clinical/record-content.ts'

/** Fictitious clinical texts. */
export const fictitiousCases: readonly RecordContent[] = [
  {
    especialidade: 'Cardiologia',
    risco_custo: 'Alto custo de exames',
    risco_doenca: 'Risco de complicações cirúrgicas',
    descricao_hd:
      'Caso fictício. Hipertensão arterial sistêmica em acompanhamento. Refere palpitações aos esforços, sem dor torácica.\nPA 148 × 92 mmHg, FC 82 bpm.',
    prescricao_beneficiario:
      'Manter losartana 50 mg de 12 em 12 horas.\nHolter de 24 horas e ecocardiograma. Retorno em 30 dias.',
  },
  {
    especialidade: 'Endocrinologia',
    risco_custo: 'Custo de tratamento prolongado',
    risco_doenca: 'Risco de sequelas permanentes',
    descricao_hd:
      'Caso fictício. Diabetes tipo 2 há oito anos, hemoglobina glicada de 8,1%. Sem sinais de neuropatia ao exame.',
    prescricao_beneficiario:
      'Metformina 850 mg duas vezes ao dia. Encaminhar à nutrição. Repetir glicada em 90 dias.',
  },
  {
    especialidade: 'Ortopedia',
    risco_custo: 'Risco de complicações cirúrgicas',
    risco_doenca: 'Risco de sequelas permanentes',
    descricao_hd:
      'Caso fictício. Gonalgia à direita há seis meses, com limitação para descer escadas. Radiografia com redução do espaço articular.',
    prescricao_beneficiario:
      'Fisioterapia, 20 sessões. Dipirona 1 g se dor. Reavaliar indicação de artroscopia.',
  },
  {
    especialidade: 'Oncologia',
    risco_custo: 'Alto custo de medicação',
    risco_doenca: 'Risco de efeitos colaterais da medicação',
    descricao_hd:
      'Caso fictício. Neoplasia de cólon, estádio II, em quimioterapia adjuvante. Terceiro ciclo sem intercorrências.',
    prescricao_beneficiario:
      'Seguir protocolo FOLFOX. Ondansetrona 8 mg antes do ciclo. Hemograma 48 horas antes da próxima sessão.',
  },
  {
    especialidade: 'Oftalmologia',
    risco_custo: 'Custo de tratamento prolongado',
    risco_doenca: 'Risco de reação alérgica',
    descricao_hd:
      'Caso fictício. Síndrome do olho seco, com ardor ao fim do dia de trabalho. Acuidade visual preservada.',
    prescricao_beneficiario:
      'Lágrima artificial quatro vezes ao dia. Pausas de tela a cada 50 minutos. Retorno em 60 dias.',
  },
  {
    especialidade: 'Neurologia',
    risco_custo: 'Alto custo de exames',
    risco_doenca: 'Risco de efeitos colaterais da medicação',
    descricao_hd:
      'Caso fictício. Enxaqueca sem aura, quatro a cinco episódios por mês. Exame neurológico sem alterações.',
    prescricao_beneficiario:
      'Propranolol 40 mg duas vezes ao dia. Diário de dor. Ressonância se não houver resposta.',
  },
  {
    especialidade: 'Gastroenterologia',
    risco_custo: 'Alto custo de exames',
    risco_doenca: 'Risco de erro médico',
    descricao_hd:
      'Caso fictício. Pirose e regurgitação há três meses, sem sinais de alarme. Pai com história de neoplasia gástrica.',
    prescricao_beneficiario: 'Omeprazol 20 mg em jejum por oito semanas. Endoscopia digestiva alta.',
  },
  {
    especialidade: 'Psiquiatria',
    risco_custo: 'Custo de tratamento prolongado',
    risco_doenca: 'Risco de efeitos colaterais da medicação',
    descricao_hd:
      'Caso fictício. Transtorno de ansiedade generalizada, com melhora parcial do sono. Nega ideação suicida.',
    prescricao_beneficiario: 'Sertralina 50 mg pela manhã. Psicoterapia semanal. Retorno em 45 dias.',
  },
  {
    especialidade: 'Urologia',
    risco_custo: 'Risco de infecção hospitalar',
    risco_doenca: 'Risco de complicações cirúrgicas',
    descricao_hd:
      'Caso fictício. Cólica renal à esquerda. Tomografia com cálculo de 6 mm em ureter distal, sem hidronefrose.',
    prescricao_beneficiario: 'Tansulosina 0,4 mg à noite. Analgesia. Controle por imagem em 15 dias.',
  },
  {
    especialidade: 'Dermatologia',
    risco_custo: 'Risco de reação alérgica',
    risco_doenca: 'Risco de efeitos colaterais da medicação',
    descricao_hd: 'Caso fictício. Dermatite de contato em mãos, relacionada a produto de limpeza.',
    prescricao_beneficiario:
      'Betametasona creme por sete dias. Afastar o agente. Luvas de algodão sob as de borracha.',
  },
]

/** The prescription of a record before its later correction. */
export const firstPrescription = 'Retorno em 60 dias com exames.'
