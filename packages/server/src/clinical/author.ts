/** Who writes. Number and name at the time are kept with what they wrote. */
export interface Author {
  idUsuario: number
  nomeUsuario: string
}
