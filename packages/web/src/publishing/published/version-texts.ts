import type { PublishedReport, ReportVersion } from '@bi-manager/contract'
import { fullTime } from '../../lib/text/relative-time.ts'

type Version = NonNullable<PublishedReport['ultima']>

const origins: Record<Version['origem'], string> = {
  PORTAL: 'pelo portal',
  COMANDO: 'pela linha de comando',
  PASTA: 'na pasta de dados',
}

/** '05/03/2026 09:00, por Ana Souza, pelo portal' */
export const versionFacts = ({ em, autor, origem }: Version): string =>
  [fullTime(em), autor && `por ${autor}`, origins[origem]].filter(Boolean).join(', ')

/** What restoring a version does with the data. */
export const dataTexts: Record<ReportVersion['dados'], string> = {
  ATUAIS: 'Os dados desta versão são os atuais.',
  GUARDADOS: 'Os dados desta versão estão guardados.',
  AUSENTES:
    'Só a definição pode voltar: os dados desta versão não estão mais guardados, têm segurança em nível de linha ou servem a outros relatórios.',
}
