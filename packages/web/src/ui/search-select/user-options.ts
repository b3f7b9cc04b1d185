import { type User, usersApi } from '@bi-manager/contract'
import { type SelectOption, searchOptions } from './select-options.ts'

export const userOption = ({ idUsuario, nomeUsuario, emailUsuario }: User): SelectOption => ({
  value: idUsuario,
  label: nomeUsuario,
  description: emailUsuario,
})

export const searchUsers = searchOptions(usersApi.list, userOption)
