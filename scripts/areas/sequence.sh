#!/bin/bash
# The moves of steps 2 to 7, one commit per area: sequence.sh <checkout> [step …]. Types and tests between them are the caller's.
set -e
root=$(realpath "$1"); shift
here=$(dirname "$(realpath "$0")")
export ROOT=$root PATH=$root/node_modules/.bin:$PATH
steps=${*:-server/platform server/accounts server/connections server/reports server/access server/publishing server/distribution server/clinical server/operations server contract web/lib,web/ui web/accounts web/connections web/reports web/access web/publishing web/distribution web/clinical web/operations web reports e2e}
for step in $steps; do
  echo "== $step"
  python3 "$here/apply.py" "$root" --only "$step" --write --quiet $FLAGS
  git -C "$root" diff --cached --quiet && continue
  name=${step##*/}; package=${step%%/*}
  case $step in
    server/platform) subject='refactor(server): move what knows no noun to platform' ;;
    */ui) subject='refactor(web): move error pages to ui' ;;
    e2e) subject='refactor(e2e): sort the journeys by area' ;;
    contract) subject='refactor(contract): move calls to their areas' ;;
    reports) subject='refactor(reports): name definitions, wire, authoring, exports' ;;
    */*) subject="refactor($package): move $name into one area" ;;
    *) subject="refactor($package): move what is left to its place" ;;
  esac
  git -C "$root" commit -qm "$subject

The files keep their content; only paths and the order of imports change."
done
