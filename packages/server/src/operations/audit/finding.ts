/** A finding in Portuguese, with what is known of its row. */
export interface Finding {
  what: string
  idAuditoria?: number | undefined
  /** Id of the access log's row, for a finding in the access log. */
  idAcesso?: number | undefined
  quando?: Date | undefined
  acao?: string | undefined
}
