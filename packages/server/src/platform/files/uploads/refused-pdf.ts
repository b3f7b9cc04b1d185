/** Why a PDF is not taken: one Portuguese sentence. */
export class RefusedPdf extends Error {
  override readonly name = 'RefusedPdf'
}

export const AGAIN = 'Imprima o documento em PDF e envie o novo arquivo.'
export const BROKEN = 'O PDF está incompleto ou corrompido. Salve-o de novo e envie.'
export const OTHER_FILES = `O PDF traz uma ação que abre programas, outros arquivos ou envia dados. ${AGAIN}`
export const TOO_MUCH = 'O PDF se expande demais ao ser aberto e não é aceito.'
export const UNREADABLE = `O PDF usa uma compressão que não pode ser conferida. ${AGAIN}`
export const PROTECTED = 'O PDF está protegido por senha ou cifrado. Remova a proteção e envie.'
