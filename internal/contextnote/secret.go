package contextnote

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Secret reports whether a person would call the file at path secret by its
// name: keys, passwords, credentials, environments. Its text is told to nobody.
// A false alarm costs a selection, so names of source files do not count.
func Secret(path string) bool {
	path = strings.ToLower(filepath.ToSlash(path))
	rules := secretRules()
	if rules.folder.MatchString(path) && !strings.HasSuffix(path, ".pub") {
		return true
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	name = rules.copyOf.ReplaceAllString(name, "")
	return rules.name.MatchString(name) && !rules.example.MatchString(name)
}

type rules struct{ folder, copyOf, example, name *regexp.Regexp }

// secretRules are compiled when first needed: most hooks never ask.
var secretRules = sync.OnceValue(func() rules {
	return rules{
		// A folder in which everything is secret. /dev/shm is where password
		// stores and sudo put a text while it is edited.
		folder: regexp.MustCompile(`(^|/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.password-store|\.secrets?|` +
			`\.config/(gcloud|gh|sops|rclone)|dev/shm|run/secrets)/|(^|/)\.docker/config\.json$`),

		// What editors and people add to the name of a copy.
		copyOf: regexp.MustCompile(`(~|\.(bak|backup|old|orig|save|copy|sw[a-p]|tmp))+$`),

		example: regexp.MustCompile(`[._-](example|sample|template|tmpl|dist|defaults?|schema)(\.|$)|\.pub$`),

		name: regexp.MustCompile(`^(` + strings.Join([]string{
			`\.env(\..*|rc)?`, `.*\.env`, `env\.local`,
			`.*\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|kdbx?|gpg|pgp|age|agekey|ovpn|tfstate|tfvars|htpasswd|pgpass|secrets?)`,
			`id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-].*)?`, `.*[._-](rsa|dsa|ecdsa|ed25519)`, `ssh_host_.*_key`,
			`[._]netrc`, `\.authinfo`, `\.pgpass`, `\.my(login)?\.cnf`, `\.npmrc`, `\.yarnrc\.yml`, `\.pypirc`,
			`\.git-credentials`, `\.htpasswd`, `\.vault[-_](token|pass)`, `\.dockercfg`, `\.s3cfg`, `\.boto`, `\.rhosts`,
			`kubeconfig(\..*)?`, `g?shadow-?`, `.*wallet.*\.dat`, `\.[a-z]+_history`,
			// Words that are secret in a file of data, and not in one of a program.
			`(.*[._-])?(credentials?|secrets?|passwords?|passwd|token|api[._-]?keys?|private[._-]?keys?|service[._-]?account|vault[._-]pass(word)?)` +
				`([_-][^.]*)?(\.(json5?|ya?ml|toml|ini|conf|cfg|config|properties|plist|xml|csv|txt|md|org|enc|dat|db|env|prod|dev|local))*`,
		}, "|") + `)$`),
	}
})
