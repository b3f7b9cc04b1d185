/** Why a spreadsheet is not read, as a Portuguese sentence that continues 'arquivo.xlsx: …'. */
export class UnreadableSheet extends Error {}

/** The XML or the zip is not what the format allows. */
export const BROKEN =
  'está corrompida ou incompleta: abra-a no Excel, salve-a de novo como XLSX e envie-a outra vez'
/** A limit of memory, time or size was reached. */
export const TOO_LARGE =
  'é grande demais para ser lida como planilha: salve-a como CSV UTF-8, ou em partes, e envie-a outra vez'

export const brokenSheet = () => new UnreadableSheet(BROKEN)
