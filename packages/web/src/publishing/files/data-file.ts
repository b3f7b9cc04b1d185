import { isDataFile, MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import { sizeText } from '../../lib/text/size-text.ts'
import { UnusableFile } from './unusable-file.ts'

/** Ways out of files that the page does not send. */
const others: [RegExp, string][] = [
  [
    /\.numbers$/i,
    'O Numbers salva em um formato só dele: nele, exporte a planilha como Excel (XLSX) e escolha esse arquivo.',
  ],
  [/\.pdf$/i, 'Um PDF não tem colunas: exporte os dados como XLSX ou CSV do programa que o fez.'],
  [
    /\.(docx?|odt|rtf|pptx?)$/i,
    'É um documento de texto ou uma apresentação: copie a tabela para uma planilha e salve-a como XLSX.',
  ],
]

/** Checks what needs no reading: a file is sent as it is. @throws UnusableFile */
export const assertSendable = (file: File): void => {
  const [, wayOut] = others.find(([name]) => name.test(file.name)) ?? []
  if (wayOut) throw new UnusableFile(wayOut)
  if (!isDataFile(file.name)) throw new UnusableFile('Escolha um arquivo CSV, XLSX ou Parquet.')
  if (file.size === 0) throw new UnusableFile('O arquivo está vazio.')
  if (file.size > MAX_UPLOAD_BYTES)
    throw new UnusableFile(
      `O arquivo tem ${sizeText(file.size)}; o limite é ${sizeText(MAX_UPLOAD_BYTES)}. Publique arquivos maiores pela linha de comando (npm run reports -- publish).`,
    )
}
