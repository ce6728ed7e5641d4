# Completions of bauta for bash 4.4 and later. The words come from the program itself ("bauta complete"), so they are always
# those of the installed version.

_bauta() {
    local unread=${COMP_LINE:0:COMP_POINT} space word index attached=
    local -a words=()
    # Bash takes = and : for words of their own. Here a word is what has no space in it.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        space=${unread%%[![:space:]]*}
        unread=${unread#"$space"}
        word=${COMP_WORDS[index]}
        # The last word ends at the cursor.
        ((index < COMP_CWORD)) || word=$unread
        unread=${unread#"$word"}
        if ((index > 0)) && [[ -z $space && -n $word ]]; then
            # Bash replaces only what comes after these words.
            attached=${words[-1]}
            words[-1]+=$word
            [[ $word != [=:]* ]] || attached=${words[-1]}
        else
            attached=
            words+=("$word")
        fi
    done

    local program=${1/#\~\//$HOME/} line paths=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == w* ]]; then
            line=${line#w}
            line=${line%%$'\t'*}
            COMPREPLY+=("${line#"$attached"}")
            # This makes bash quote it.
            [[ $line != *[!A-Za-z0-9_=,.:/+-]* ]] || compopt -o filenames
        else
            paths=$line
        fi
    done < <("$program" complete --bash -- "${words[@]:1}" 2>/dev/null)
    [[ -z $paths ]] || _bauta_paths "$paths" "$attached"
}

# Adds paths.
# $1: a letter with endings, what stands before the path, and the path, with tabs between them; $2: what is not replaced.
_bauta_paths() {
    local kind=${1:0:1} fields=${1:1} endings ending prefix file folder
    compopt -o filenames
    endings=${fields%%$'\t'*}
    fields=${fields#*$'\t'}
    prefix=${fields%%$'\t'*}
    while IFS= read -r file; do
        folder=${file/#\~\//$HOME/}
        if [[ ! -d $folder ]]; then
            [[ $kind == f ]] || continue
            ending=${file##*.}
            [[ -z $endings || " $endings " == *" ${ending,,} "* ]] || continue
        fi
        file=$prefix$file
        COMPREPLY+=("${file#"$2"}")
    done < <(compgen -f -- "${fields#*$'\t'}")
}

complete -F _bauta bauta
