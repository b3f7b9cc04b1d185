import type { ProfileMember } from '@bi-manager/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import shared from '../../ui/shared.module.css'
import type { MemberMarks } from './members.ts'
import classes from './profiles.module.css'
import { isMember } from './profiles-queries.ts'

interface AddMemberProps {
  id: number
  marks: MemberMarks
  onAdd: (member: ProfileMember) => void
}

/** Finds a user and marks them to join; reports users who are already members. */
export const AddMember = ({ id, marks, onAdd }: AddMemberProps) => {
  const adding = useMutation({
    mutationFn: async ({ value, label }: SelectOption): Promise<boolean> =>
      marks.joining.has(value) || (await isMember(id, value, label)),
    networkMode: 'always',
    onSuccess: (isIn, { value, label, description }) => {
      if (!isIn) onAdd({ idUsuario: value, nomeUsuario: label, emailUsuario: description ?? '' })
    },
  })
  const field = useRef<HTMLInputElement>(null)
  const { isPending } = adding
  const wasPending = useRef(false)
  // Restore the focus, which the field lost while it was disabled.
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) field.current?.focus()
    wasPending.current = isPending
  }, [isPending])
  const said = adding.data
    ? `${adding.variables?.label} já participa deste perfil.`
    : adding.data === false && `${adding.variables?.label} entra ao salvar.`
  return (
    <div className={classes.add}>
      <SearchSelect
        label="Acrescentar usuário"
        placeholder="Pesquisar usuário..."
        emptyText="Sem resultados para essa pesquisa"
        queryKey={['usuarios']}
        search={searchUsers}
        ref={field}
        disabled={isPending}
        value={null}
        error={adding.error ? messageOf(adding.error) : undefined}
        onChange={(option) => option && adding.mutate(option)}
      />
      <p role="status" className={adding.data ? classes.said : shared.forReaders}>
        {said}
      </p>
    </div>
  )
}
