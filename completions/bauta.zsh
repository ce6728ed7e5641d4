#compdef bauta
# Completions of bauta for zsh. The words come from the program itself ("bauta complete"), so they are always those of the
# installed version.

_bauta() {
    local program=${(Q)words[1]} line word paths
    local -a described fields endings
    [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}
    for line in "${(@f)$("$program" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
            w*)
                fields=("${(@ps:\t:)line#w}")
                word=${${fields[1]//\\/\\\\}//:/\\:}
                described+=("$word${fields[2]:+:${fields[2]}}")
                ;;
            ?*) paths=$line ;;
        esac
    done
    local result=1
    if (( $#described )); then
        _describe -t values 'bauta' described && result=0
    fi
    if [[ -n $paths ]]; then
        fields=("${(@ps:\t:)paths}")
        [[ -z $fields[2] ]] || compset -P "${(b)fields[2]}"
        endings=(${=fields[1]#?})
        if [[ $paths == d* ]]; then
            _path_files -/ && result=0
        elif (( $#endings )); then
            _files -g "*.(#i)(${(j:|:)endings})(-.)" && result=0
        else
            _files && result=0
        fi
    fi
    return result
}

# Nothing is completed while this file is only read: source <(bauta completions zsh)
if [[ $funcstack[1] == _bauta ]]; then
    _bauta "$@"
else
    compdef _bauta bauta
fi
