import { useSearchParams } from 'react-router'
import { useChangeSearch } from '../../lib/lists/use-change-search.ts'
import { recordIdOf } from '../../ui/record-form/record-page.tsx'

type Name = 'usuario' | 'relatorio'

/** State of the chosen user and report, kept in the URL for links and the Back button. */
export const useUserAndReport = () => {
  const [params] = useSearchParams()
  const changeSearch = useChangeSearch()
  return {
    usuario: recordIdOf(params.get('usuario')),
    relatorio: recordIdOf(params.get('relatorio')),
    choose: (name: Name, id: number | undefined) =>
      changeSearch((params) => {
        if (id === undefined) params.delete(name)
        else params.set(name, String(id))
      }),
  }
}
