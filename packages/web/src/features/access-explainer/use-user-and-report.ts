import { useSearchParams } from 'react-router'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { recordIdOf } from '../../ui/record-form/record-page.tsx'

/** State of the chosen user and report, kept in the URL for links and the Back button. */
export const useUserAndReport = () => {
  const [params] = useSearchParams()
  const chooseFilters = useChooseFilters()
  return {
    usuario: recordIdOf(params.get('usuario')),
    relatorio: recordIdOf(params.get('relatorio')),
    choose: (name: 'usuario' | 'relatorio', id: number | undefined) => chooseFilters({ [name]: id }),
  }
}
